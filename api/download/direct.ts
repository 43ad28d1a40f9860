import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { type FileStream, READ_BUFFER_BYTES } from '../../core/files/blobs/index.js'
import type { RequestContext } from '../edge/index.js'

type Direct = { body: ReadableStream<Uint8Array>; source: FileStream }

/** By the response that Node will send. */
const directs = new WeakMap<ServerResponse, Direct>()

/** Buffers that are kept for the next file; a new one of a MiB costs as much as to read it. */
const KEPT = 8

const free: Buffer[] = []

const isFileStream = (source: Readable | FileStream): source is FileStream => 'readInto' in source

/** Notes that a body is the bytes of a file, which may be sent without making buffers of it. */
export const noteDirect = (
  c: RequestContext,
  body: ReadableStream<Uint8Array>,
  source: Readable | FileStream,
): void => {
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse }
  if (outgoing && isFileStream(source)) directs.set(outgoing, { body, source })
}

const headersOf = ({ headers }: Response): { [name: string]: string | string[] } => {
  const cookies = headers.getSetCookie()
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
}

/** Sends the bytes by two buffers: one is read into while the other is sent. @returns how many there were. */
const sendBytes = async (outgoing: ServerResponse, source: FileStream): Promise<number> => {
  const gone = new Promise<never>((_, reject) => {
    outgoing.once('close', () => reject(new Error('The client has closed the connection')))
  })
  gone.catch(() => undefined)
  const send = (bytes: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      outgoing.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  const newBuffer = (): Buffer => free.pop() ?? Buffer.allocUnsafeSlow(READ_BUFFER_BYTES)
  let buffer = newBuffer()
  let other: Buffer | undefined
  let sending: Promise<void> = Promise.resolve()
  let length = 0
  for (;;) {
    const bytesRead = await source.readInto(buffer)
    await Promise.race([sending, gone])
    if (bytesRead === 0) break
    length += bytesRead
    sending = send(buffer.subarray(0, bytesRead))
    sending.catch(() => undefined)
    // A client that does not read has one buffer.
    if (!other) await Promise.race([sending, gone])
    ;[buffer, other] = [other ?? newBuffer(), buffer]
  }
  // After a failure they are not used again: the system may still read them.
  for (const used of [buffer, other]) if (used && free.length < KEPT) free.push(used)
  return length
}

/**
 * Sends a response by itself if its body is a file that was noted, and nothing has replaced it since.
 *
 * @returns whether it was sent; a connection that broke is closed by then.
 */
export const sendDirect = async (outgoing: ServerResponse, response: Response): Promise<boolean> => {
  const direct = directs.get(outgoing)
  if (!direct || response.body !== direct.body) return false
  const { source } = direct
  try {
    outgoing.writeHead(response.status, headersOf(response))
    const length = await sendBytes(outgoing, source)
    // A file that was cut meanwhile: the client must not take what it has for all.
    if (length === Number(response.headers.get('content-length'))) outgoing.end()
    else outgoing.destroy()
  } catch {
    // The client has gone, or the disk has failed after the first bytes: either way it sees a broken connection.
    outgoing.destroy()
  } finally {
    source.destroy()
  }
  return true
}
