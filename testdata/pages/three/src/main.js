import * as THREE from 'three'
import { blocks, colour } from './blocks'

const renderer = new THREE.WebGLRenderer({ antialias: true })
renderer.setSize(480, 270)
document.body.append(renderer.domElement)
const scene = new THREE.Scene()
const camera = new THREE.OrthographicCamera(-240, 240, 135, -135, -500, 500)
scene.background = new THREE.Color('#203040')
const cube = new THREE.Mesh(new THREE.TorusKnotGeometry(50, 16, 80, 12), new THREE.MeshStandardMaterial({ color: 'orange', roughness: 0.4 }))
cube.position.y = 20
const light = new THREE.DirectionalLight('white', 3)
light.position.set(1, 2, 3)
scene.add(cube, light, new THREE.AmbientLight('white', 0.4))
const strip = blocks(THREE)
scene.add(...strip)

window.__exportSeekTo = (t) => {
  cube.rotation.set(t, t * 1.7, 0)
  colour(strip, t)
  renderer.render(scene, camera)
}
window.__exportReady = true
