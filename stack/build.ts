/** `npm run build`: bundles API, worker and workflow code into dist/; `tsx stack/build.ts workflows` only these. */
import { buildServer, buildWorkflows } from './build/index.js'

const builders = {
  api: () => buildServer('api'),
  worker: () => buildServer('worker'),
  workflows: buildWorkflows,
}
const names = process.argv.slice(2)
const selected = Object.entries(builders).filter(([name]) => names.length === 0 || names.includes(name))

await Promise.all(
  selected.map(async ([name, build]) => {
    const startedAt = Date.now()
    if (await build())
      process.stdout.write(`built ${name} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`)
  }),
)
