import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LOOPBACK, type Owner } from '../process/index.js'
import { type Login, loginFiles } from './login.js'

/**
 * One node on loopback; it keeps no indexes that nobody asked for. It asks for a login, as it has what documents hold,
 * and any page in a browser of this machine reaches its port.
 */
const settings = ({ port, dataFolder }: { port: number; dataFolder: string }): string[] => [
  'cluster.name: archivolt',
  'node.name: archivolt',
  'discovery.type: single-node',
  `network.host: ${LOOPBACK}`,
  `http.port: ${port}`,
  'transport.port: 0',
  `path.data: ${JSON.stringify(join(dataFolder, 'data'))}`,
  `path.logs: ${JSON.stringify(join(dataFolder, 'logs'))}`,
  'xpack.security.enabled: true',
  'xpack.security.enrollment.enabled: false',
  'xpack.security.autoconfiguration.enabled: false',
  'xpack.security.transport.ssl.enabled: false',
  'action.auto_create_index: false',
  // An answer is built whole in memory.
  'search.max_buckets: 20000',
  // A disk that is nearly full would make the indexes read-only, for good.
  'cluster.routing.allocation.disk.threshold_enabled: false',
]

/** As much memory as the documents of one developer need. */
const jvmOptions = (temporary: string): string[] => [
  '-Xms512m',
  '-Xmx512m',
  '-XX:+UseG1GC',
  '-XX:+ExitOnOutOfMemoryError',
  `-Djava.io.tmpdir=${temporary}`,
  '20-:--add-modules=jdk.incubator.vector',
]

/** Warnings to its output, which is the log file of the service. */
const LOGGING = [
  'status = error',
  'appender.console.type = Console',
  'appender.console.name = console',
  'appender.console.layout.type = PatternLayout',
  'appender.console.layout.pattern = [%d{ISO8601}][%-5p][%-25c{1.}] %m%consoleException%n',
  'rootLogger.level = warn',
  'rootLogger.appenderRef.console.ref = console',
]

/** Writes the configuration into a folder of the data, with the folders that the server writes to. */
export const configure = (
  { port, dataFolder, login }: { port: number; dataFolder: string; login: Login },
  owner: Owner | undefined,
): { configuration: string; temporary: string } => {
  const configuration = join(dataFolder, 'config')
  const temporary = join(dataFolder, 'tmp')
  for (const folder of [configuration, temporary]) rmSync(folder, { recursive: true, force: true })
  for (const folder of [
    dataFolder,
    configuration,
    temporary,
    join(dataFolder, 'data'),
    join(dataFolder, 'logs'),
  ]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (owner) chownSync(folder, owner.uid, owner.gid)
  }
  const files = {
    'elasticsearch.yml': settings({ port, dataFolder }),
    'jvm.options': jvmOptions(temporary),
    'log4j2.properties': LOGGING,
    ...loginFiles(login),
  }
  for (const [name, lines] of Object.entries(files)) {
    const file = join(configuration, name)
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
    if (owner) chownSync(file, owner.uid, owner.gid)
  }
  return { configuration, temporary }
}
