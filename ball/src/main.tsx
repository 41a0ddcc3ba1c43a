import '@fontsource-variable/inter'
import '@fontsource-variable/space-grotesk'
import './styles.css'
import App from './App'
import { mount } from './koda/mount'
import * as theatre from './theatre/project'

mount(App, theatre)
