package tui
import ("testing";"math/rand/v2";"time")
func TestZZ(t *testing.T) {
	end := time.Now().Add(25*time.Second); n:=0
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 7))
	ok := 0
	for time.Now().Before(end) {
		a := newAnybody(t)
		acts := make([]byte, 150)
		for i := range acts { acts[i] = byte(r.IntN(256)) }
		for _, x := range acts { a.act(x); if a.desk.quit { break } }
		n++
		for _, d := range a.eng.doings() { if d.accepted && d.answer.Words != "" { ok++ } }
	}
	t.Log(n, "runs", ok, "confirmed")
}
