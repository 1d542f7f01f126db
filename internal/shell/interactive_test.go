package shell

import (
	"syscall"
	"testing"
)

func TestInteractiveCommandsKeepTheirState(t *testing.T) {
	s := open(t, Options{})
	_, _ = runCode(t, s, Command{Code: "K=1"})
	cmd, finish, err := s.Interactive(Command{Code: "K=$((K+1))\nexport P=$PARAM\nexit 5", Env: []string{"PARAM=x"}})
	if err != nil {
		t.Fatal(err)
	}
	res := finish(cmd.Run())
	if res.Exit != 5 || res.StateLost != "" || res.Err != nil || len(res.Left) != 0 {
		t.Errorf("got %+v", res)
	}
	if out, _ := runCode(t, s, Command{Code: "echo $K $P"}); out != "2 x\n" {
		t.Errorf("got %q", out)
	}
	cmd, finish, err = s.Interactive(Command{Code: "kill -9 $$"})
	if err != nil {
		t.Fatal(err)
	}
	if res := finish(cmd.Run()); res.Signal != syscall.SIGKILL || res.Exit != 137 || res.StateLost == "" {
		t.Errorf("got %+v", res)
	}
	cmd, finish, err = s.Interactive(Command{Code: "true"})
	if err != nil {
		t.Fatal(err)
	}
	cmd.Path = "/does/not/exist"
	if res := finish(cmd.Run()); res.Err == nil || res.Exit != -1 {
		t.Errorf("got %+v", res)
	}
}
