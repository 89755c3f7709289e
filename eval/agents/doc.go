// Package agents plays the model to coding agents. A Server speaks the three
// wire formats that they use (chat completions, responses, messages), streamed or
// whole, and answers from a Script, so that the real programs can be run with no
// model, no account and no network, and do the same thing each time.
//
// It listens on loopback only. Every request that has come in can be read back,
// which is how a test knows what an agent told its model.
package agents
