import { call } from '../harness/client.js'

export type Upload = { id: string; name: string; type: string; content: Buffer }

const BOUNDARY = 'archivolt-bench'

/** Attaches a file to a document by one multipart call. */
export const uploadTo = async (apiUrl: string, { id, name, type, content }: Upload): Promise<void> => {
  const part = (headers: readonly string[]): Buffer =>
    Buffer.from(`\r\n--${BOUNDARY}\r\n${headers.join('\r\n')}\r\n\r\n`)
  const body = Buffer.concat([
    part(['Content-Disposition: form-data; name="request"', 'Content-Type: application/json']),
    Buffer.from(JSON.stringify({ params: { document: id, xpath: 'file:content' }, context: {} })),
    part([`Content-Disposition: form-data; name="input"; filename="${name}"`, `Content-Type: ${type}`]),
    content,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'X-NXVoidOperation': 'true' }
  await call('POST', `${apiUrl}/api/v1/automation/Blob.Attach`, { body, headers })
}
