// Package openai holds the fake model against OpenAI's own Go client, through the
// gate and with the model's faults. It has nothing but tests, and is a module of
// its own: the client is large, and nothing else needs it. The version is one
// that a small machine can compile.
package openai
