/** A plain file server: GET sends the file, PUT writes it with its digest. Argument: the file. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream/promises'

const BUFFERS = { highWaterMark: 1024 * 1024 }

const file = process.argv[2] ?? ''

const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.setHeader('content-length', statSync(file).size)
    await pipeline(createReadStream(file, BUFFERS), response)
    return
  }
  const hash = createHash('md5')
  request.on('data', (chunk: Buffer) => hash.update(chunk))
  await pipeline(request, createWriteStream(`${file}.received`, BUFFERS))
  response.end(hash.digest('hex'))
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})
process.once('SIGTERM', () => process.exit())
