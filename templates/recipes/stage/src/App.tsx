import { Stage } from './stage/Stage'

export default function App() {
  return <Stage />
}
