/** A part of a multipart body: its headers by lower-case name, and its bytes as they arrive. */
export type Part = { headers: ReadonlyMap<string, string>; body: AsyncIterable<Buffer> }

const HEADER_LIMIT = 64 * 1024

const boundaryOf = (contentType: string): string | undefined =>
  /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType)?.slice(1).find(Boolean)

const parseHeaders = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split('\r\n')
      .filter((line) => line.includes(':'))
      .map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const
      }),
  )

type Source = {
  /** Bytes up to a delimiter, which is consumed; only a possible beginning of the delimiter is buffered. */
  until(mark: Buffer): AsyncGenerator<Buffer>
}

const createSource = (stream: AsyncIterable<Uint8Array>): Source => {
  const chunks = stream[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  return {
    async *until(mark) {
      for (;;) {
        const at = held.indexOf(mark)
        if (at >= 0) {
          const found = held.subarray(0, at)
          held = held.subarray(at + mark.length)
          if (found.length > 0) yield found
          return
        }
        const safe = Math.max(0, held.length - mark.length + 1)
        if (safe > 0) {
          const passed = held.subarray(0, safe)
          held = held.subarray(safe)
          yield passed
        }
        const next = await chunks.next()
        if (next.done) throw new Error('The multipart response ends before its last part')
        held = Buffer.concat([held, next.value])
      }
    },
  }
}

const textOf = async (chunks: AsyncIterable<Buffer>): Promise<string> => {
  let text = ''
  for await (const chunk of chunks) {
    text += chunk.toString('utf8')
    if (text.length > HEADER_LIMIT) throw new Error('The multipart response has headers without an end')
  }
  return text
}

/** Reads the parts of a multipart body one after another; each must be read before the next is requested. */
export async function* readMultipart(
  stream: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<Part> {
  const boundary = boundaryOf(contentType)
  if (!boundary) throw new Error(`The content type ${contentType} of the response has no boundary`)
  const source = createSource(stream)
  const lineEnd = Buffer.from('\r\n')
  await textOf(source.until(Buffer.from(`--${boundary}`)))
  // What follows a boundary is the end of its line, or `--` after the last part.
  while (!(await textOf(source.until(lineEnd))).startsWith('--')) {
    const headers = parseHeaders(await textOf(source.until(Buffer.from('\r\n\r\n'))))
    yield { headers, body: source.until(Buffer.from(`\r\n--${boundary}`)) }
  }
}
