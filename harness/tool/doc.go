// Package tool holds the tools of the knowledge service, as data: their names,
// the schemas of their arguments, and where they are called over HTTP. The
// tasks that offer them, the service that carries them out, the dialect that
// reads calls of them and the documents all take them from here.
//
//	t, _ := tool.Find("search_kb")
//	t.Misfit(json.RawMessage(`{"q": 7}`))           // "at /q: got number, want string"
//	t.Match("GET", []string{"search"})              // true: GET /v1/search?q=...
//	t.Function()                                    // as a request to a model offers it
//
// An argument that the path names stands in the path. The others are the query
// of a GET, and the fields of a JSON body otherwise.
package tool
