window.half = { timeline: () => ({ time() {
