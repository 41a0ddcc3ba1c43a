// Videos on canvases: a canvas gets the picture that the video shows.

let draws = false

// drawVideos replaces a video by its picture wherever a video can be drawn or read. Pages
// without videos are left alone.
function drawVideos() {
  if (draws) return
  draws = true
  const isVideo = (value) => value instanceof HTMLVideoElement
  // still is the arguments with a picture for each video; null if a video has no picture
  // yet.
  function still(args) {
    if (!args.some(isVideo)) return args
    const pictures = args.map((value) => (isVideo(value) ? media.picture(value) : value))
    return pictures.includes(null) ? null : pictures
  }
  const wrap = (owner, name, empty) => {
    const draw = owner?.[name]
    if (typeof draw !== 'function') return
    owner[name] = {
      [name](...args) {
        const pictures = still(args)
        return pictures ? draw.apply(this, pictures) : empty?.()
      },
    }[name]
  }
  for (const kind of ['CanvasRenderingContext2D', 'OffscreenCanvasRenderingContext2D']) {
    wrap(window[kind]?.prototype, 'drawImage')
    wrap(window[kind]?.prototype, 'createPattern', () => null)
  }
  for (const kind of ['WebGLRenderingContext', 'WebGL2RenderingContext']) {
    for (const name of ['texImage2D', 'texSubImage2D', 'texImage3D', 'texSubImage3D']) wrap(window[kind]?.prototype, name)
  }
  wrap(window, 'createImageBitmap', () => Promise.reject(new DOMException('the video has no picture yet', 'InvalidStateError')))
  const copy = window.GPUQueue?.prototype.copyExternalImageToTexture
  if (copy) {
    GPUQueue.prototype.copyExternalImageToTexture = function (from, ...rest) {
      const [source] = still([from.source]) ?? []
      if (source) copy.call(this, { ...from, source }, ...rest)
    }
  }
  const RealFrame = window.VideoFrame
  if (!RealFrame) return
  window.VideoFrame = new Proxy(RealFrame, {
    construct(target, [source, settings], self) {
      if (!isVideo(source)) return Reflect.construct(target, settings === undefined ? [source] : [source, settings], self)
      const picture = media.picture(source)
      if (!picture) throw new DOMException('the video has no picture yet', 'InvalidStateError')
      return new RealFrame(picture, { timestamp: Math.round(media.timeOf(source) * 1e6), ...settings })
    },
  })
}
