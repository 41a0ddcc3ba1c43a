import * as THREE from 'three'

const { innerWidth: width, innerHeight: height } = window
const renderer = new THREE.WebGLRenderer({ antialias: true })
renderer.setPixelRatio(1)
renderer.setSize(width, height)
renderer.shadowMap.enabled = true
renderer.shadowMap.type = THREE.PCFSoftShadowMap
renderer.toneMapping = THREE.ACESFilmicToneMapping
document.body.appendChild(renderer.domElement)

const scene = new THREE.Scene()
scene.background = new THREE.Color('#16202b')
const camera = new THREE.PerspectiveCamera(40, width / height, 0.1, 100)
camera.position.set(0, 4, 11)
camera.lookAt(0, 0, 0)
scene.add(new THREE.AmbientLight('#ffffff', 0.6))
const lamp = new THREE.DirectionalLight('#ffffff', 2)
lamp.position.set(-4, 7, 4)
lamp.castShadow = true
lamp.shadow.mapSize.set(1024, 1024)
scene.add(lamp)

function add(geometry: THREE.BufferGeometry, color: string): THREE.Mesh {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color, roughness: 0.4 }))
  mesh.castShadow = mesh.receiveShadow = true
  scene.add(mesh)
  return mesh
}

const knot = add(new THREE.TorusKnotGeometry(1.1, 0.38, 160, 24), '#f6b73c')
const moons = Array.from({ length: 6 }, () => add(new THREE.BoxGeometry(0.6, 0.6, 0.6), '#4fb0ae'))
const floor = add(new THREE.PlaneGeometry(40, 40), '#2b3a4a')
floor.rotation.x = -Math.PI / 2
floor.position.y = -2.2

const page = window as unknown as { __exportSeekTo: (t: number) => void; __exportReady: boolean }
page.__exportSeekTo = (t) => {
  knot.rotation.set(t, 2 * t, 0)
  moons.forEach((moon, n) => {
    const angle = 2 * t + (n * Math.PI) / 3
    moon.position.set(3.4 * Math.cos(angle), 0.6 * Math.sin(2 * angle), 3.4 * Math.sin(angle))
    moon.rotation.set(angle, angle, 0)
  })
  renderer.render(scene, camera)
}
page.__exportSeekTo(0)
page.__exportReady = true
