// Package cel reads expressions in the Common Expression Language about live
// objects, says where one is wrong, and evaluates it over a world; it is pure.
//
// Beside the language's own functions an expression may use
//
//	object(apiVersion, kind, name)             an object of the run's namespace
//	object(apiVersion, kind, name, namespace)
//	now                                        the time of the world, a timestamp
//
// The arguments of object are literal strings, so that everything an expression
// depends on is known, and watched, before it is evaluated. A parameter of the
// runbook stands inside a string: int("${REPLICAS}").
package cel
