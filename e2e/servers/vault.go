package servers

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

// Vault is a running Vault: initialised and unsealed, unless it was wanted otherwise.
type Vault struct {
	Addr string // http://127.0.0.1:…
	Root string // a root token; empty while it isn't initialised
	Key  string // unseals it alone
	p    *process
}

// StartVault starts the program in dir, which must exist, and waits until it answers. own says that it is the one of the
// e2e module; any other is started as `vault server` with its storage in memory.
func StartVault(ctx context.Context, dir, program string, own bool) (*Vault, error) {
	v := &Vault{}
	start := v.startOwn
	if !own {
		start = v.startServer
	}
	if err := start(ctx, dir, program); err != nil {
		return nil, errors.Join(fmt.Errorf("start vault: %w", err), v.Stop())
	}
	return v, nil
}

// startOwn reads the address from the first line that the program prints.
func (v *Vault) startOwn(ctx context.Context, dir, program string) (err error) {
	cmd := exec.Command(program)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if v.p, err = run("vault", dir, cmd); err != nil {
		return err
	}
	line := make(chan string, 1)
	go func() {
		text, _ := bufio.NewReader(out).ReadString('\n') // the end of it is told by p
		line <- text
	}()
	return v.p.until(ctx, func(ctx context.Context) error {
		if v.Addr == "" {
			select {
			case text := <-line:
				v.Addr = strings.TrimSpace(text)
			default:
				return errors.New("it has said no address")
			}
		}
		return v.alive(ctx)
	})
}

// startServer runs the program of the Vault and OpenBao packages.
func (v *Vault) startServer(ctx context.Context, dir, program string) error {
	ports, err := freePorts(2)
	if err != nil {
		return err
	}
	v.Addr = fmt.Sprintf("http://127.0.0.1:%d", ports[0])
	file := dir + "/vault.hcl"
	text := fmt.Sprintf("storage \"inmem\" {}\ndisable_mlock = true\nlistener \"tcp\" {\n  address = \"127.0.0.1:%d\"\n  cluster_address = \"127.0.0.1:%d\"\n  tls_disable = true\n}\napi_addr = %q\n", ports[0], ports[1], v.Addr)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return err
	}
	if v.p, err = run("vault", dir, exec.Command(program, "server", "-config="+file)); err != nil {
		return err
	}
	return v.p.until(ctx, v.alive)
}

// alive asks for any answer: a Vault that isn't initialised has a status of its own.
func (v *Vault) alive(ctx context.Context) error {
	return answers(ctx, client, v.Addr+"/v1/sys/health?uninitcode=200&sealedcode=200")
}

// Init initialises it with one key.
func (v *Vault) Init(ctx context.Context) error {
	var made struct {
		Keys []string `json:"keys_base64"`
		Root string   `json:"root_token"`
	}
	_, err := call(ctx, client, http.MethodPut, v.Addr+"/v1/sys/init", map[string]any{"secret_shares": 1, "secret_threshold": 1}, &made)
	if err != nil {
		return fmt.Errorf("initialise vault: %w", err)
	}
	if len(made.Keys) != 1 || made.Root == "" {
		return errors.New("initialise vault: it gave no key or no token")
	}
	v.Key, v.Root = made.Keys[0], made.Root
	return nil
}

// Unseal unseals it and waits until it is active.
func (v *Vault) Unseal(ctx context.Context) error {
	if _, err := call(ctx, client, http.MethodPut, v.Addr+"/v1/sys/unseal", map[string]any{"key": v.Key}, nil); err != nil {
		return fmt.Errorf("unseal vault: %w", err)
	}
	return v.p.until(ctx, func(ctx context.Context) error { return answers(ctx, client, v.Addr+"/v1/sys/health") })
}

// Stop ends it and waits.
func (v *Vault) Stop() error {
	if v.p == nil {
		return nil
	}
	return v.p.stop()
}
