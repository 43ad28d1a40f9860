import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll } from 'vitest'

type AttributeValue = { stringValue?: string; intValue?: number }

/** One span in OTLP's JSON. */
export type CollectedSpan = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code?: number; message?: string }
  attributes: readonly { key: string; value: AttributeValue }[]
}

type Export = { resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[] }

export type TraceCollector = { url: string; spans: CollectedSpan[] }

/** A receiver of OTLP over HTTP that keeps what it is sent, until the end of the test file. */
export const startTraceCollector = async (): Promise<TraceCollector> => {
  const spans: CollectedSpan[] = []
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Export
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The collector has no port')
  return { url: `http://127.0.0.1:${address.port}`, spans }
}

export const attributeOf = ({ attributes }: CollectedSpan, key: string): string | number | undefined => {
  const value = attributes.find((attribute) => attribute.key === key)?.value
  return value?.stringValue ?? value?.intValue
}
