package survey

import (
	"context"
	"fmt"
	"strings"

	"runbook/internal/cluster"
	"runbook/internal/dig"
	"runbook/internal/guard"
)

// volumes are the claims that go, with what becomes of their data.
func (s Surveyor) volumes(ctx context.Context, h *haul) []guard.Loss {
	n := h.counts("PersistentVolumeClaim", "")
	if n == 0 {
		return nil
	}
	all, err := s.Lister.Volumes(ctx, h.namespace)
	if err != nil {
		return unlisted(fmt.Sprintf("the data behind %d persistentvolumeclaims", n), err)
	}
	var out []guard.Loss
	for _, v := range all {
		if h.has("PersistentVolumeClaim", "", v.Claim) {
			out = append(out, claim(v))
		}
	}
	return out
}

func claim(v cluster.Volume) guard.Loss {
	l := guard.Loss{What: "pvc/" + v.Claim}
	if about := strings.TrimSpace(v.Size + " " + v.Class); about != "" {
		l.What += " (" + about + ")"
	}
	switch {
	case v.Volume == "":
		l.Why = "it has no volume yet"
	case v.Policy == "":
		l.Why, l.Unknown = "what becomes of volume "+v.Volume+" is not known: "+v.Why, true
	default:
		l.Why, l.Irrecoverable = fate(v)
	}
	return l
}

// fate is what becomes of a volume when its claim goes.
func fate(v cluster.Volume) (why string, lost bool) {
	if v.Policy == "Retain" {
		return "volume " + v.Volume + " and its data stay (reclaim policy Retain), but nothing binds them again by itself", false
	}
	return "volume " + v.Volume + " goes with it, and all data on it (reclaim policy " + v.Policy + ")", true
}

// volume is a volume that is deleted itself.
func (s Surveyor) volume(ctx context.Context, name string) []guard.Loss {
	v, err := s.Lister.Volume(ctx, name)
	if err != nil {
		return []guard.Loss{unknown("pv/"+name, "could not read it: "+err.Error())}
	}
	l := guard.Loss{What: "pv/" + name}
	if v.Size != "" {
		l.What += " (" + v.Size + ")"
	}
	switch {
	case v.Claim != "":
		l.Why, l.Irrecoverable = "claim "+v.Claim+" is bound to it: it is held until the claim goes, and the claim is lost without it (reclaim policy "+v.Policy+")", v.Policy != "Retain"
	case v.Policy == "Retain":
		l.Why = "the data behind it stay (reclaim policy Retain), but the cluster no longer knows where"
	default:
		l.Why, l.Irrecoverable = "no claim is bound to it; all data on it may go (reclaim policy "+v.Policy+")", true
	}
	return []guard.Loss{l}
}

// storageClass says who asks for storage by the class. What exists stays.
func (s Surveyor) storageClass(ctx context.Context, name string) []guard.Loss {
	var claims first
	err := s.Lister.Bodies(ctx, cluster.Scope{Kind: "persistentvolumeclaim"}, func(page []map[string]any) {
		for _, c := range page {
			if dig.Text(c, "spec", "storageClassName") == name {
				claims.add(dig.Text(c, "metadata", "namespace") + "/" + dig.Text(c, "metadata", "name"))
			}
		}
	})
	what := "storageclass/" + name
	if err != nil {
		return unlisted("the claims of "+what, err)
	}
	why := "no claim asks for it; volumes and their data stay in any case"
	if claims.n > 0 {
		why = fmt.Sprintf("volumes and their data stay, but new ones can't be made: %s, %s, asked for it", several(claims.n, "claim"), claims)
	}
	return []guard.Loss{{What: what, Why: why}}
}

// databases are the Postgres clusters that go, with what could bring them back.
func (s Surveyor) databases(ctx context.Context, h *haul) []guard.Loss {
	const group = "postgresql.cnpg.io"
	if h.counts("Cluster", group) == 0 {
		return nil
	}
	scheduled := map[string]bool{}
	schedules := s.Lister.Bodies(ctx, cluster.Scope{Kind: "scheduledbackup", Group: group, Namespace: h.namespace}, func(page []map[string]any) {
		for _, b := range page {
			scheduled[dig.Text(b, "spec", "cluster", "name")] = true
		}
	})
	var out []guard.Loss
	err := s.Lister.Bodies(ctx, cluster.Scope{Kind: "cluster", Group: group, Namespace: h.namespace}, func(page []map[string]any) {
		for _, c := range page {
			if h.has("Cluster", group, dig.Text(c, "metadata", "name")) {
				out = append(out, database(c, scheduled[dig.Text(c, "metadata", "name")], schedules))
			}
		}
	})
	if err != nil {
		return unlisted("Postgres clusters", err)
	}
	return out
}

func database(c map[string]any, scheduled bool, schedules error) guard.Loss {
	l := guard.Loss{What: fmt.Sprintf("the database of cluster/%s (%s)", dig.Text(c, "metadata", "name"), several(int(dig.Int(c, "spec", "instances")), "instance"))}
	last := dig.Text(c, "status", "lastSuccessfulBackup")
	archived := dig.At(c, "spec", "backup", "barmanObjectStore") != nil || dig.At(c, "spec", "backup", "volumeSnapshot") != nil || len(dig.List(c, "spec", "plugins")) > 0
	switch {
	case last != "":
		l.Why = "the last backup that succeeded is of " + last + "; whatever came after it is lost with the volumes"
	case archived && scheduled:
		l.Why, l.Unknown = "backups are configured and scheduled, but none is known to have succeeded", true
	case archived:
		l.Why, l.Unknown = "backups are configured, but none is known to have succeeded", true
	case schedules != nil:
		l.Why, l.Unknown = "whether it has backups is not known: "+schedules.Error(), true
	default:
		l.Why, l.Irrecoverable = "no backup is configured", true
	}
	return l
}
