// Package model is a fake model behind an interface as OpenAI's: POST
// /v1/chat/completions, whole or in events, and GET /v1/models. It plays a
// script, and it has no memory: which turn it gives is read from the request.
//
//	s, err := model.Open(model.Config{Frame: frame, Settings: model.Settings{Script: []model.Turn{
//		{Speech: call("search_kb", `{"q":"refund window"}`)},
//		{Speech: say("30 days"), AfterError: &cached},
//	}}})
//
// The number of the turn is the number of the assistant's messages in the
// request, so that a request that is sent again is answered alike, and a
// conversation that has lost turns is answered as one that never had them.
// A turn has another form for after an error: when one of the tool messages
// behind the last assistant's message is an error payload, a JSON object with
// something in the field error. Behind the end of the script its last turn is
// given again.
//
// What a fault makes the model say is no turn of the script. Calls in it have an
// id that begins with "extra_", those of the script one that begins with
// "call_"; an assistant's message with an extra call does not count. So the
// script goes on where it was, and a turn that was given with damaged arguments
// is given again as it should have been.
package model
