package expect

import (
	"runbook/internal/world"
)

func verdict(a world.Answer, format string, args ...any) world.Verdict {
	return world.Verdict{Answer: a, Why: world.Say(format, args...)}
}

func holds() world.Verdict { return world.Verdict{Answer: world.Holds} }

func holdsBut(format string, args ...any) world.Verdict { return verdict(world.Holds, format, args...) }
func fails(format string, args ...any) world.Verdict    { return verdict(world.DoesNot, format, args...) }
func unsure(format string, args ...any) world.Verdict {
	return verdict(world.CantTell, format, args...)
}
