import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'
import { hashOf, isUpToDate, writeStamp, writeWhole } from './stamp.js'

/** The project's folder: sources, `config/` and migrations are read from here, also by the built files. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const DIST = join(ROOT, 'dist')

export type ServerName = 'api' | 'worker'

/** What is bundled as `dist/{name}.js`, from an entry relative to the project's folder. */
export type Program = { name: string; entry: string }

/** Change when the way of building changes, so that what was built before is built again. */
const RECIPE = 'archivolt-build-5'

/**
 * Modules find files beside themselves (migrations, for one) by `import.meta.url`; in a bundle that would be
 * the bundle's place, so each module keeps its own, relative to the bundle.
 */
const keepModuleUrls: Plugin = {
  name: 'keep-module-urls',
  setup: (build) => {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const contents = await readFile(path, 'utf8')
      if (!contents.includes('import.meta.url')) return undefined
      const url = `new URL(${JSON.stringify(relative(DIST, path))}, import.meta.url).href`
      return { loader: 'ts', contents: contents.replaceAll('import.meta.url', url) }
    })
  },
}

const serverOptions = ({ name, entry }: Program): BuildOptions & { write: false; metafile: true } => ({
  absWorkingDir: ROOT,
  entryPoints: [{ in: entry, out: name }],
  outdir: DIST,
  bundle: true,
  // What a server loads later stays in files of its own, with what those import.
  splitting: true,
  chunkNames: `${name}-[name]-[hash]`,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  sourcemap: true,
  // Places in traces need names and lines; the text, which Node would keep in memory, is in the file itself.
  sourcesContent: false,
  plugins: [keepModuleUrls],
  logLevel: 'error',
  write: false,
  metafile: true,
})

const recordBuild = (output: string, recipe: string, inputs: readonly string[]): void =>
  writeStamp(output, { inputs, hash: hashOf(ROOT, recipe, inputs) })

/** Bundles one server into dist/, unless its sources are unchanged. Answers whether it was built. */
export const buildServer = (name: ServerName): Promise<boolean> =>
  buildProgram({ name, entry: `./${name}/main.ts` })

/** The same for any program, e.g. one to compare a server with in a measurement. */
export const buildProgram = async ({ name, entry }: Program): Promise<boolean> => {
  const output = join(DIST, `${name}.js`)
  const recipe = `${RECIPE} ${name}`
  if (isUpToDate(ROOT, recipe, output)) return false
  const { build } = await import('esbuild')
  const result = await build(serverOptions({ name, entry }))
  mkdirSync(DIST, { recursive: true })
  for (const file of result.outputFiles) writeWhole(file.path, file.contents)
  recordBuild(output, recipe, Object.keys(result.metafile.inputs))
  return true
}

const WORKFLOW_BUNDLE = join(DIST, 'workflow-bundle.js')
const WORKFLOW_ENTRY = 'workflows/index.ts'
/** Bundled beside the workflows, and called around each of them. */
const WORKFLOW_INTERCEPTORS = ['log-attributes', 'tracing', 'outcomes', 'signed'].map(
  (name) => `workflows/interceptors/${name}.ts`,
)
/** Evaluated once for all runs of a sandbox, in this order: they keep nothing of a run outside of functions. */
const WORKFLOW_PRELOADED = ['workflows/stack-traces.ts', WORKFLOW_ENTRY, ...WORKFLOW_INTERCEPTORS]
const WORKFLOW_RECIPE = [RECIPE, ...WORKFLOW_PRELOADED].join(' ')

export const isWorkflowBundleUpToDate = (): boolean => isUpToDate(ROOT, WORKFLOW_RECIPE, WORKFLOW_BUNDLE)

/** Our own sources in the workflow code; packages are identified by the lock file. */
const workflowInputs = async (): Promise<string[]> => {
  const { build } = await import('esbuild')
  const { metafile } = await build({
    ...serverOptions({ name: 'worker', entry: WORKFLOW_ENTRY }),
    entryPoints: WORKFLOW_PRELOADED,
    sourcemap: false,
  })
  return Object.keys(metafile.inputs)
}

/** Bundles the workflow code into dist/, unless its sources are unchanged. Answers whether it was built. */
export const buildWorkflows = async (): Promise<boolean> => {
  if (isWorkflowBundleUpToDate()) return false
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker')
  const [inputs, { code }] = await Promise.all([
    workflowInputs(),
    bundleWorkflowCode({
      workflowsPath: resolve(ROOT, WORKFLOW_ENTRY),
      workflowInterceptorModules: WORKFLOW_INTERCEPTORS.map((file) => resolve(ROOT, file)),
      preloadModules: WORKFLOW_PRELOADED.map((file) => resolve(ROOT, file)),
      logger: new DefaultLogger('WARN'),
    }),
  ])
  mkdirSync(dirname(WORKFLOW_BUNDLE), { recursive: true })
  writeWhole(WORKFLOW_BUNDLE, code)
  recordBuild(WORKFLOW_BUNDLE, WORKFLOW_RECIPE, inputs)
  return true
}
