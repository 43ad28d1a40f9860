import { type ChainFormat, type ChainVersion, viewOf, writeXml, writeYaml } from '../../core/chains/index.js'
import { etagOf } from './etag.js'

/** A version without its content, as lists and answers to a deployment show it. */
export const chainEntity = ({ chain, version, format, author, createdAt }: ChainVersion) => ({
  'entity-type': 'chain',
  id: chain.id,
  version,
  etag: etagOf(version),
  ...(author !== undefined && { author }),
  ...(createdAt && { created: createdAt.toISOString() }),
  format,
  ...(chain.description !== undefined && { description: chain.description }),
  aliases: chain.aliases,
})

const jsonOf = (version: ChainVersion): string => {
  const view = viewOf(version.chain)
  const content = Array.isArray(view) ? { operations: view } : { operations: [], ...view }
  return JSON.stringify({ ...chainEntity(version), ...content })
}

const WRITERS: { [format in ChainFormat]: (version: ChainVersion) => string } = {
  yaml: ({ chain }) => writeYaml(chain),
  xml: ({ chain }) => writeXml(chain),
  json: jsonOf,
}

const CONTENT_TYPES: { [format in ChainFormat]: string } = {
  yaml: 'application/yaml; charset=UTF-8',
  xml: 'application/xml; charset=UTF-8',
  json: 'application/json; charset=UTF-8',
}

/** A version as text; as it was deployed, comments included, when that was the same notation. */
export const represent = (
  version: ChainVersion,
  format: ChainFormat,
): { text: string; headers: { [name: string]: string } } => ({
  // JSON says more than was deployed: version, author and the like.
  text: version.format === format && format !== 'json' ? version.source : WRITERS[format](version),
  headers: {
    'Content-Type': CONTENT_TYPES[format],
    ETag: etagOf(version.version, format),
    Vary: 'Accept',
    'Cache-Control': 'private, no-cache',
  },
})
