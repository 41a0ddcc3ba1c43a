import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// Vite reuses no frame, so it imports JSON with ?keyed like any other JSON.
const keyed: Plugin = {
  name: 'koda:keyed',
  enforce: 'pre',
  resolveId(source, importer) {
    return source.endsWith('.json?keyed') ? this.resolve(source.replace(/\?keyed$/, ''), importer) : null
  },
}

// The node_modules with the packages. In a sandbox it lies above the project, and Vite
// would refuse the fonts there.
const packages = dirname(dirname(createRequire(import.meta.url).resolve('react/package.json')))

// Vite serves the live view only. Checks, previews and finals are drawn from
// the page koda bundles itself.
export default defineConfig({
  plugins: [keyed, react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { host: true, port: 5173, strictPort: true, fs: { allow: ['.', packages] } },
})
