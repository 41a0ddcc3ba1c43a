package wish

// readPicture finds what concerns the picture and the file: size, shape, rate, format, loop, transparency.
func (r *reader) readPicture() {
	for i := 0; i < len(r.p); i++ {
		if !r.free(i, i+1) || r.p[i].scene {
			continue
		}
		w, n := r.pictureAt(i)
		if n == 0 {
			continue
		}
		w.Sure = true
		end := i + n
		if t := r.term(i, Meaning); t != nil { // what the caller makes of it
			r.wishes = append(r.wishes, Wish{Kind: Means, About: t.About, Sure: true, Span: r.p[i].span})
		}
		if w.Kind != Format && w.Kind != Loop || r.is(i-1, as) {
			end = r.skip(end, 1, medium)
			for end > i+n && r.term(end-1, Topic) != nil {
				end--
			}
		}
		from := i
		if k := r.skip(i-1, -1, article, be, of, as, in); w.Kind == File && w.About != "" && r.free(k, i) { // "screenshot home.png"
			from = k
		}
		r.wish(from, end, w)
		i = end - 1
	}
}

// leastSide is the smallest side of a picture in pixels: "3 x 4" is no size.
const leastSide = 16

func (r *reader) pictureAt(i int) (Wish, int) {
	whole := func(k int) bool {
		return r.form(k, number) && r.p[k].num == float64(int(r.p[k].num)) && r.p[k].num >= leastSide
	}
	if whole(i) && r.is(i+1, cross) && whole(i+2) {
		n := 3
		if r.is(i+3, pixels) {
			n = 4
		}
		return Wish{Kind: Size, Value: decimal(r.p[i].num) + "x" + decimal(r.p[i+2].num)}, n
	}
	if q := r.plain(i); q.n > 0 && r.is(i+q.n, fps) && q.value > 0 {
		return Wish{Kind: Rate, Value: decimal(q.value)}, q.n + 1
	}
	if r.form(i, number) && r.p[i].glued && r.is(i-1, scale) && r.p[i].num >= 10 && r.p[i].num <= 240 { // "1080p60"
		return Wish{Kind: Rate, Value: decimal(r.p[i].num)}, 1
	}
	if r.is(i, fps) {
		k := r.skip(i+1, 1, of, to, be)
		if r.punct(k, ":=") {
			k++
		}
		if r.form(k, number) && r.p[k].num > 0 {
			return Wish{Kind: Rate, Value: decimal(r.p[k].num)}, k + 1 - i
		}
	}
	if s, ok := r.get(i, shape); ok && r.framed(i) && !(s.num > 0 && r.isSide(i)) && (s.num < 2 || r.forPlatform(i) || r.is(i-1, shape) || r.is(i+1, shape)) {
		w := Wish{Kind: Shape, Value: s.value}
		if s.num > 0 {
			w.Unit = platformUnit
		}
		return w, 1
	}
	if s, ok := r.get(i, scale); ok {
		return Wish{Kind: Scale, Value: decimal(s.num)}, 1
	}
	if s, ok := r.get(i, format); ok {
		return Wish{Kind: Format, Value: s.value}, 1
	}
	if r.is(i, loop) {
		w := Wish{Kind: Loop}
		if t := r.term(i, Noun, OfFlag); t != nil {
			w.About = t.About
		}
		return w, 1
	}
	if r.is(i, transparent) {
		return Wish{Kind: Transparent}, 1
	}
	if s, ok := r.get(i, advice); ok {
		return Wish{Kind: Advice, Value: s.value}, 1
	}
	if r.is(i, undo) && !r.is(i+1, not, but) && !(r.v.there && (r.is(i+1, onto, to) && r.colourNear(i+2) || r.colourNear(i+1) || r.noun(r.skip(i+1, 1, article)) != "" && r.is(i+1, article))) { // "back to red", "undo the red", "undo nothing else"
		return Wish{Kind: Undo}, 1
	}
	if r.form(i, file) {
		w := Wish{Kind: File, Value: r.p[i].text}
		if t := r.term(r.skip(i-1, -1, article, be, of, as, in), Noun, OfFile); t != nil {
			w.About = t.About
		}
		return w, 1
	}
	return Wish{}, 0
}

// isSide reports whether piece i is a name that is shown elsewhere: "Instagram vs TikTok, … TikTok should stand out".
func (r *reader) isSide(i int) bool {
	for k := range r.p {
		if k != i && r.phraseRole(k) == Name && r.p[k].text == r.p[i].text {
			return true
		}
	}
	return false
}

// platformUnit is the unit of a shape that only the place says where a video is shown: "for instagram".
const platformUnit = "platform"

// Usual reports whether a shape is the usual one of the place where a video is shown: another shape that the text names counts.
func (w *Wish) Usual() bool { return w.Kind == Shape && w.Unit == platformUnit }

// forPlatform reports whether few words before piece i say that the video is for what it names: "for our salon's instagram".
func (r *reader) forPlatform(i int) bool {
	const most = 3
	for k := i - 1; k >= max(0, i-most) && r.form(k, word); k-- {
		if r.is(k, forWhom) {
			return true
		}
	}
	return false
}

// usualShape is the shape that videos have anyway.
const usualShape = "16:9"

// framed reports whether the word at piece i means the shape of the picture, where the word may
// mean a thing as well: it stands alone, or with a word for the video.
func (r *reader) framed(i int) bool {
	if r.v.there && r.is(i-1, article) && r.term(i, Option) != nil && !r.is(i+1, medium) { // "not a triangle, a square"
		return false
	}
	if s, _ := r.get(i, shape); s.value == usualShape && r.term(i, Option) != nil && !r.is(i+1, medium) { // "horizontal bars"
		return false
	}
	if r.term(i, Option) == nil && r.term(i, Hint) == nil && r.term(i, Noun) == nil {
		return true
	}
	k := r.skip(i+1, 1, format, loop, filler)
	if r.is(k, medium) || k > i+1 || r.is(i-1, as, medium, forWhom) {
		return true
	}
	c := r.clauseOf(i)
	alone := r.skip(c.From, 1, article, in) == i || r.punct(i-1, "(（") // "(square, …"
	platform := r.is(i+1, forWhom, shape)
	if t := r.term(i, Option, OfList); t != nil && !platform { // "circle, square, triangle"
		for _, k := range []int{i - 2, i + 2} {
			if o := r.term(k, Option, OfList); o != nil && o.About == t.About && r.form((i+k)/2, mark) {
				return false
			}
		}
	}
	return alone && (i+1 >= c.To || r.form(i+1, mark) || r.form(i+1, line) || platform)
}
