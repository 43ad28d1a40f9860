import type { OperationServices, Value } from '../../language/index.js'
/** A file of JSON, as operations answer that give something else than documents, e.g. suggestions. */
export const jsonBlob = async ({ blobs }: OperationServices, json: unknown): Promise<Value> => ({
  type: 'blob',
  blob: {
    ...(await blobs.write(Buffer.from(JSON.stringify(json)))),
    name: null,
    'mime-type': 'application/json',
    encoding: 'UTF-8',
  },
})
