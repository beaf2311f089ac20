package main

type (
	judgeVerb    struct{}
	rerunVerb    struct{}
	selftestVerb struct{}
	listVerb     struct{}
	validateVerb struct{}
	explainVerb  struct{}
)
