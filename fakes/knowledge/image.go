package knowledge

// image is what the service knows in spite of the end of its process.
type image struct {
	Articles []Article     `json:"articles"`
	Archive  []Article     `json:"archive"`
	Deleted  []string      `json:"deleted"`
	Moved    []string      `json:"moved"`
	Refunds  []refundImage `json:"refunds"`
}

// refundImage is a refund with what no reply shows.
type refundImage struct {
	Refund
	Key string `json:"key"`
}

// image is called with the lock held.
func (s *Service) image() any {
	i := image{Articles: s.articles, Archive: s.archive, Deleted: s.deleted, Moved: s.moved}
	for _, r := range s.refunds {
		i.Refunds = append(i.Refunds, refundImage{r, r.Key})
	}
	return i
}

// restore takes up what an earlier process knew.
func (s *Service) restore() error {
	var i image
	if found, err := s.frame.Restore(&i); !found {
		return err
	}
	s.articles, s.archive, s.deleted, s.moved = i.Articles, i.Archive, i.Deleted, i.Moved
	for _, r := range i.Refunds {
		r.Refund.Key = r.Key
		s.refunds = append(s.refunds, r.Refund)
	}
	return nil
}
