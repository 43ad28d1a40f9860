import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder, findOnPath, StackFailure } from '../process/index.js'

export const VERSION = '8.19.21'

/** The whole server without its optional modules. */
const ARTIFACT = `org.elasticsearch.distribution.integ-test-zip:elasticsearch:${VERSION}:zip`

const MAVEN_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack'

const OLDEST_JAVA = 17

type Ended = { code: number | null; words: string }

const run = (
  command: string,
  args: readonly string[],
  { env, cwd, signal }: { env: NodeJS.ProcessEnv; cwd?: string; signal?: AbortSignal | undefined },
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    // What is fetched may have to be read by another user.
    const before = process.umask(0o022)
    const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], signal })
    process.umask(before)
    let words = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        words = `${words}${text}`.slice(-2_000)
      })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, words: words.trim() }))
  })

/** The major version in what `java -version` says; 0 for what is none. */
export const javaVersion = (words: string): number => Number(/version "(\d+)/.exec(words)?.[1] ?? 0)

/** What starting Elasticsearch needs: a Java, and its programs or what fetches them. */
export type Means = { java: string; maven: string | undefined; folder: string }

/**
 * Looks for what Elasticsearch needs, without fetching it.
 *
 * @returns a clause that says what is missing, else the means.
 */
export const findMeans = async (env: NodeJS.ProcessEnv): Promise<Means | string> => {
  const java = findOnPath('java', env.JAVA_HOME ? join(env.JAVA_HOME, 'bin') : env.PATH)
  if (!java) return `no Java is on the PATH or in JAVA_HOME (version ${OLDEST_JAVA} or later)`
  const version = javaVersion((await run(java, ['-version'], { env })).words)
  if (version < OLDEST_JAVA) return `${java} is Java ${version}, and not ${OLDEST_JAVA} or later`
  const folder = join(cacheFolder(env), `elasticsearch-${VERSION}`)
  const maven = findOnPath('mvn', env.PATH)
  if (!maven && !existsSync(folder)) return 'no Maven (mvn) is on the PATH to fetch it'
  return { java, maven, folder }
}

/**
 * The folder of the programs: from the cache, else fetched by Maven, 107 MB once. It is unpacked beside its place, so
 * that an interrupted fetch leaves nothing.
 *
 * @throws StackFailure when it cannot be fetched.
 */
export const fetchPrograms = async (
  { maven, folder }: Means,
  { env, onFetch, signal }: { env: NodeJS.ProcessEnv; onFetch: () => void; signal?: AbortSignal | undefined },
): Promise<string> => {
  if (existsSync(folder)) return folder
  onFetch()
  mkdirSync(dirname(folder), { recursive: true })
  const unfinished = mkdtempSync(`${folder}-`)
  try {
    const args = [
      '--batch-mode',
      '--quiet',
      MAVEN_GOAL,
      `-Dartifact=${ARTIFACT}`,
      `-DoutputDirectory=${unfinished}`,
    ]
    // The plugin leaves a note of what it has unpacked in the folder that it runs in.
    const { code, words } = await run(maven ?? 'mvn', args, { env, cwd: unfinished, signal })
    if (code !== 0) throw new Error(words.split('\n').slice(0, 3).join(' '))
    // Another start may have fetched it meanwhile.
    if (!existsSync(folder)) renameSync(join(unfinished, `elasticsearch-${VERSION}`), folder)
    return folder
  } catch (cause) {
    throw new StackFailure(`Elasticsearch could not be fetched by Maven (${(cause as Error).message})`, {
      cause,
    })
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}
