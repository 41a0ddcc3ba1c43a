import { scored } from '../stage/score'
import { story } from './story'

export default scored(story)
