package contract

// Operation is one kind of call that a fake service takes.
type Operation struct {
	_ struct{}

	Service string
	Name    string
	Write   bool // it can have a consequence; writes have the phases validated and committed
	// Once: every call has a consequence of its own, unless it carries the identifier of one before it.
	Once    bool
	Summary string
}

// String is the operation's full name, as anchors and guarantees use it.
func (o Operation) String() string { return o.Service + "." + o.Name }

// Unknown names the operation of a request that no service declares.
const Unknown = "unknown"

// Operations are all operations, by service, in the order of their documentation.
func Operations() []Operation {
	return []Operation{
		{Service: "approval", Name: "submit", Write: true, Summary: "submit a confirmed request for approval"},
		{Service: "approval", Name: "track", Summary: "read one approval by its reference"},
		{Service: "approval", Name: "query", Summary: "look up by the client's identifier"},
		{Service: "approval", Name: "search", Summary: "look for records by applicant and amount"},
		{Service: "approval", Name: "void", Write: true, Summary: "fence an identifier, so that its request can never execute"},
		{Service: "approval", Name: "withdraw", Write: true, Summary: "withdraw an approval that is pending"},
		{Service: "approval", Name: "notify", Write: true, Summary: "send the result notification again"},
		{Service: "purchase", Name: "buy", Write: true, Summary: "make the purchase that an approval allows"},
		{Service: "purchase", Name: "query", Summary: "look up a purchase by the client's identifier"},
		{Service: "desk", Name: "escalate", Write: true, Summary: "hand a task over to a person"},
		{Service: "knowledge", Name: "search_kb", Summary: "search the knowledge base"},
		{Service: "knowledge", Name: "kb_cache", Summary: "search a cached copy of the knowledge base, which may be stale"},
		{Service: "knowledge", Name: "kb_archive", Summary: "search articles that are no longer in force"},
		{Service: "knowledge", Name: "search_web", Summary: "search public pages"},
		{Service: "knowledge", Name: "delete_record", Write: true, Summary: "delete an article"},
		{Service: "knowledge", Name: "archive_record", Write: true, Summary: "move an article to the archive"},
		{Service: "knowledge", Name: "issue_refund", Write: true, Once: true, Summary: "refund an order"},
		{Service: "knowledge", Name: "initialize", Summary: "begin to speak MCP"},
		{Service: "knowledge", Name: "list_tools", Summary: "list the tools by MCP"},
		{Service: "knowledge", Name: "session", Summary: "whatever else MCP needs"},
		{Service: "model", Name: "chat", Summary: "ask the model for the next turn of a conversation"},
		{Service: "model", Name: "list", Summary: "list the models that answer"},
	}
}

// FindOperation looks an operation up by its full name.
func FindOperation(name string) (Operation, bool) {
	for _, o := range Operations() {
		if o.String() == name {
			return o, true
		}
	}
	return Operation{}, false
}
