import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { type AddressInfo, connect as connectPlain, type Server } from 'node:net'
import { createServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { Connection } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { afterAll, expect, inject, test } from 'vitest'
import { parseSettings } from '../../../core/platform/settings/index.js'
import { connectionOptions } from '../../../engine/index.js'

const fileOf = (name: string): string => fileURLToPath(new URL(`../../support/tls/${name}`, import.meta.url))
const read = (name: string): Buffer => readFileSync(fileOf(name))
const tls = { ca: read('ca.pem'), cert: read('server.pem'), key: read('server.key') }

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const optionsWith = (address: string, variables: NodeJS.ProcessEnv) =>
  connectionOptions(
    parseSettings({
      DATABASE_URL: 'postgres://localhost/archivolt',
      TEMPORAL_ADDRESS: address,
      TEMPORAL_TLS_CA: fileOf('ca.pem'),
      TEMPORAL_TLS_SERVER_NAME: 'temporal.test',
      ...variables,
    }).temporal,
  )

test('client and worker reach Temporal by mutual TLS, and by nothing less', async () => {
  const [host = '', port] = inject('temporalAddress').split(':')
  const proxy = createServer(
    { ...tls, requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] },
    (socket) => {
      const behind = connectPlain(Number(port), host)
      socket.pipe(behind).pipe(socket)
      for (const end of [socket, behind])
        end.on('error', () => [socket, behind].map((each) => each.destroy()))
    },
  )
  const address = await listening(proxy)
  const certificate = { TEMPORAL_TLS_CERT: fileOf('client.pem'), TEMPORAL_TLS_KEY: fileOf('client.key') }
  for (const Kind of [Connection, NativeConnection]) {
    const connection = await Kind.connect(optionsWith(address, certificate))
    expect(await connection.workflowService.getSystemInfo({})).toHaveProperty('serverVersion')
    await connection.close()
    await expect(Kind.connect({ ...optionsWith(address, {}), connectTimeout: 2_000 })).rejects.toThrow()
  }
})

test('client and worker show their API key, and that by TLS alone', async () => {
  const keys: unknown[] = []
  const server = createSecureServer(tls)
  // `UNIMPLEMENTED`, which only the client takes for an older server.
  server.on('stream', (stream, { authorization }) => {
    keys.push(authorization)
    stream.respond({ 'content-type': 'application/grpc', 'grpc-status': '12' }, { endStream: true })
  })
  const options = optionsWith(await listening(server), { TEMPORAL_API_KEY: 'the key' })
  const client = await Connection.connect(options)
  await client.close()
  await expect(NativeConnection.connect(options)).rejects.toThrow('GetSystemInfo')
  expect(keys.length).toBeGreaterThan(1)
  expect(new Set(keys)).toEqual(new Set(['Bearer the key']))
})
