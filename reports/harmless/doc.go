// Package harmless makes text that somebody else chose safe to show: an agent's
// status, key or body must not move a cursor, reorder a line or hide in it.
//
//	harmless.Line("ok\x1b[2J\n", 40) // `ok\x1b[2J `
//
// What is left is ordinary text. Whoever puts it into markup escapes it for that
// markup besides.
package harmless
