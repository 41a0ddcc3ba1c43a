import * as THREE from 'three'
import { blocks, colour } from './blocks'

const renderer = new THREE.WebGLRenderer({ antialias: true })
renderer.setSize(480, 270)
document.body.append(renderer.domElement)
const scene = new THREE.Scene()
const camera = new THREE.OrthographicCamera(-240, 240, 135, -135, -500, 500)
const cube = new THREE.Mesh(new THREE.BoxGeometry(90, 90, 90), new THREE.MeshNormalMaterial())
cube.position.y = 20
const strip = blocks(THREE)
scene.add(cube, ...strip)
const clock = new THREE.Clock()
let turned = 0
renderer.setAnimationLoop(() => {
  turned += clock.getDelta() * 2
  cube.rotation.set(turned, turned / 2, 0)
  colour(strip, clock.elapsedTime)
  renderer.render(scene, camera)
})
