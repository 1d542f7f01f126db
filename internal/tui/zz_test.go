package tui
import ("testing";"os/exec";"os";"fmt";"runbook/internal/screen")
func TestZZ(t *testing.T) {
	cmd := exec.Command("/tmp/tui-rb", "demo", "teardown")
	d := t.TempDir()
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "HOME="+d, "XDG_STATE_HOME="+d)
	s := screen.StartCommand(t, cmd, 84, 30)
	s.WaitFor("Look first")
	fmt.Println(s.Text())
	for i := 0; i < 9; i++ {
	s.Type("\r"); 
	exec.Command("sleep","2").Run()
	fmt.Println(s.Text()) }
	s.Type("\x1b"); exec.Command("sleep","1").Run();fmt.Println(s.Text());
	s.Type("q"); exec.Command("sleep","1").Run();
	s.Type("q"); t.Log(s.WaitExit())
	fmt.Println(s.Text())
}
