import { binary, inPath, type RouteDoc } from '../openapi/index.js'

const places = {
  repository: 'Name of the repository',
  id: 'Id of the document',
  file: 'Where the file is, and the name that it is given: file:content/report.pdf',
}

const { file: _, ...mainFile } = places

const responses = {
  200: {
    ...binary('The file'),
    headers: { ETag: 'Digest of the file', 'Content-Disposition': 'Its name' },
  },
  206: binary('The part of it that was asked for'),
  304: { description: 'It is still the one of If-None-Match' },
}

const download = (name: 'nxfile' | 'nxbigfile', operationId: string): RouteDoc[] => {
  const route = (path: string, suffix: string, parameters: { [name: string]: string }): RouteDoc => ({
    method: 'GET',
    path: `//${name}/{repository}/{id}${path}`,
    operationId: `${operationId}${suffix}`,
    summary: 'Downloads a file of a document',
    tag: 'files',
    parameters: { path: inPath(parameters) },
    responses,
  })
  return [route('', 'OfDocument', mainFile), route('/{file}', '', places)]
}

/** Downloads under both names (blobs-conversions.md §2). */
export const downloadDocs: readonly RouteDoc[] = [
  ...download('nxfile', 'download'),
  ...download('nxbigfile', 'downloadBig'),
  {
    method: 'GET',
    path: '//nxbigblob/{key}',
    operationId: 'downloadUnbound',
    summary: 'Downloads a file that belongs to no document, as a chain has left it for its caller',
    tag: 'files',
    parameters: { path: inPath({ key: 'As the redirection to it says' }) },
    responses,
  },
]
