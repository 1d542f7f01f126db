package operators

import (
	"fmt"
	"slices"
	"sync"
)

// database is the little that matters of one: who may log in to what. It lies on a persistent volume and is gone with it.
type database struct {
	name, owner, password string
}

// databases holds what is on the persistent volumes, by volume name.
type databases struct {
	mu sync.Mutex
	on map[string]database
}

func newDatabases() *databases { return &databases{on: map[string]database{}} }

func (d *databases) read(volume string) (database, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	db, ok := d.on[volume]
	return db, ok
}

func (d *databases) write(volume string, db database) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.on[volume] = db
}

// pgdata is the name of the pod volume that CloudNativePG keeps a database on.
const pgdata = "pgdata"

// postgres is CloudNativePG's image, which does what its instance manager is told: initdb, join or run.
func postgres(p *process) outcome {
	volume := p.volumes[pgdata]
	switch {
	case slices.Contains(p.words, "init"):
		return initdb(p, volume)
	case slices.Contains(p.words, "join"):
		if source, ok := p.net.databases.read(p.env["SOURCE_VOLUME"]); ok {
			p.net.databases.write(volume, source)
			return p.done("pg_basebackup completed")
		}
		return p.fail("pg_basebackup: could not reach the primary")
	default:
		db, ok := p.net.databases.read(volume)
		if !ok {
			return p.fail("PGDATA is empty: the volume %q holds no database", volume)
		}
		p.say("database system is ready to accept connections")
		return outcome{data: &db, handler: ok200}
	}
}

// initdb creates the database with the owner's password from the Secret. A Secret about somebody else leaves the owner
// without a password, and only this log says so.
func initdb(p *process, volume string) outcome {
	db := database{name: p.env["APP_DATABASE"], owner: p.env["APP_OWNER"]}
	if user := p.env["APP_USERNAME"]; user == db.owner {
		db.password = p.env["APP_PASSWORD"]
	} else {
		p.say(fmt.Sprintf("wrong username '%s' in secret, expected '%s'", user, db.owner))
	}
	p.net.databases.write(volume, db)
	return p.done("initdb: database %q created with owner %q", db.name, db.owner)
}
