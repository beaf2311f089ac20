package fault

// Family says what an effect acts on.
type Family string

// The families.
const (
	Wire    Family = "wire"    // the message at the point, carried out by the gate
	Service Family = "service" // what a service does with the request
	Agent   Family = "agent"   // the agent's process and its task
	People  Family = "people"  // the persons around the task
	Model   Family = "model"   // what the model says
)

// Families are all families, in the order of their documentation.
func Families() []Family { return []Family{Wire, Service, Agent, People, Model} }

// Kind describes one effect of the catalogue.
type Kind struct {
	_ struct{}

	Name    string
	Family  Family
	Summary string // one sentence without a full stop: what it does
	Usage   string // how it is written after do:, with its arguments
	Where   string // where it may stand, in words
	// Needs are the capabilities that an agent must have for it, and, of [Processes], its services.
	Needs []string
	// Place is where it may come in a list of effects.
	Place Place
	// Stand returns nil when the effect may stand at an anchor, else the reason why not.
	Stand func(Anchor) error
	// Decode reads the arguments; what is wrong is told to the reader.
	Decode func(*Reader) Effect
}

// Place orders the effects of a list. The order of a point is to wait first
// and to act on the message last, so a list is written that way round too.
type Place int

// The places.
const (
	Before Place = iota // it moves hands or holds the message: before the message goes on
	With                // it changes what the service does with the request
	Final               // it decides what becomes of the message; one a point
)

// Effect is what a fault does, with its arguments.
type Effect interface {
	// Name is the name of its kind.
	Name() string
	// String is the effect as scenarios write it; receipts carry it.
	String() string
	// Words say what it does, as a clause: "the client's connection is reset".
	Words() string
	// Apply fills the order of a firing and plans the moves of the hands. It does not block.
	Apply(*Firing)
}

// Effects are all effects, by family, in the order of their documentation.
func Effects() []Kind {
	return []Kind{
		resetKind(), closeKind(), hangKind(), truncateKind(), garbleKind(), holdKind(), duplicateKind(), dripKind(), refuseKind(), toxicKind(),
		statusKind(), replyKind(), createKind(), partialKind(), crashKind(), forgetKind(), rivalKind(), outcomeKind(), eventKind(),
		killServiceKind(), pauseServiceKind(), isolateServiceKind(),
		killKind(), pauseKind(), redispatchKind(), cancelKind(), stopKind(),
		reviseKind(), revokeKind(), decideKind(),
		saysKind(), malformedKind(), repeatsKind(), urgesKind(),
	}
}

// FindKind looks an effect up by its name.
func FindKind(name string) (Kind, bool) {
	for _, k := range Effects() {
		if k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}

// Names are the names of all effects.
func Names() []string {
	var names []string
	for _, k := range Effects() {
		names = append(names, k.Name)
	}
	return names
}
