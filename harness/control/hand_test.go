package control_test

import (
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

func TestAProcessInReserveIsHandedATaskWhileItAsks(t *testing.T) {
	s := newStage(t)
	asked := s.plane.Asked("p-2")
	s.Expect(asked).To(BeNil(), "it was not admitted")
	second := s.admit("p-2")
	asked = s.plane.Asked("p-2")
	s.Expect(asked).NotTo(BeClosed())

	given := make(chan int, 1)
	go func() { given <- second.get("/v1/work?wait=20s").status }()
	s.Eventually(asked, time.Minute).Should(BeClosed())
	s.Expect(given).NotTo(Receive())
	s.plane.Hand("p-2", "t-9")
	s.plane.Hand("p-2", "t-1")
	s.plane.Hand("p-2", "t-1")
	s.Eventually(given, time.Minute).Should(Receive(Equal(200)))
	s.Expect(second.get("/v1/work").status).To(Equal(204), "handed once")
	s.Expect(second.get("/v1/tasks/t-1/inbox").status).To(Equal(200))
}
