// The barcode as flat meshes before a camera whose view is the page, in pixels.
export const blocks = (THREE) =>
  barcode.rects(0).map((r) => {
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(r.w, r.h), new THREE.MeshBasicMaterial({ toneMapped: false }))
    mesh.position.set(r.x + r.w / 2 - 240, 135 - r.y - r.h / 2, 400)
    return mesh
  })

export function colour(meshes, seconds) {
  barcode.rects(seconds).forEach((r, i) => meshes[i].material.color.set(r.fill))
}
