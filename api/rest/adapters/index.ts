import type { RouteDoc } from '../../openapi/index.js'
import type { RestServices } from '../rendering/index.js'
import { aclAdapter, aclDocs } from './acl.js'
import type { Adapter, AdapterEngine } from './adapter.js'
import { blobAdapter, blobDocs } from './blob.js'
import { businessAdapter, businessDocs } from './business.js'
import { childrenAdapter, childrenDocs } from './children.js'
import { annotationDocs, commentDocs } from './comment.docs.js'
import { annotationAdapter, commentAdapter } from './comment.js'
import { comparePicturesAdapter, comparePicturesDocs } from './compare-pictures.js'
import { convertAdapter } from './convert.js'
import { emptyWithDefaultAdapter, emptyWithDefaultDocs } from './empty-with-default.js'
import { mediaAdapter, mediaDocs } from './media.js'
import { operationAdapter } from './operation.js'
import { previewAdapter, previewDocs } from './preview.js'
import { renditionAdapter, renditionDocs } from './rendition.js'
import { searchAdapter, searchAdapterDocs } from './search.js'

/** @property docs none where another protocol describes it: `@convert` the conversions, `@op` automation. */
type Entry = { docs: readonly RouteDoc[] } & (
  | { needsEngine?: false; create(services: RestServices): Adapter }
  | { needsEngine: true; create(services: RestServices, engine: AdapterEngine): Adapter }
)

const ADAPTERS: readonly Entry[] = [
  { create: aclAdapter, docs: aclDocs },
  { create: annotationAdapter, docs: annotationDocs },
  { create: blobAdapter, docs: blobDocs },
  { create: businessAdapter, docs: businessDocs, needsEngine: true },
  { create: childrenAdapter, docs: childrenDocs },
  { create: commentAdapter, docs: commentDocs },
  { create: comparePicturesAdapter, docs: comparePicturesDocs, needsEngine: true },
  { create: convertAdapter, docs: [], needsEngine: true },
  { create: emptyWithDefaultAdapter, docs: emptyWithDefaultDocs },
  { create: mediaAdapter, docs: mediaDocs, needsEngine: true },
  { create: operationAdapter, docs: [], needsEngine: true },
  { create: previewAdapter, docs: previewDocs },
  { create: renditionAdapter, docs: renditionDocs, needsEngine: true },
  { create: searchAdapter, docs: searchAdapterDocs },
]

/** @param engine absent: adapters that need it are left out. */
export const createAdapters = (
  services: RestServices,
  engine: AdapterEngine | undefined,
): readonly Adapter[] =>
  ADAPTERS.flatMap((entry) => {
    if (!entry.needsEngine) return [entry.create(services)]
    return engine ? [entry.create(services, engine)] : []
  })

const docsOf = (needsEngine: boolean): readonly RouteDoc[] =>
  ADAPTERS.filter((entry) => (entry.needsEngine ?? false) === needsEngine).flatMap(({ docs }) => docs)

export const adapterDocs = docsOf(false)
/** Of adapters that are served with an engine. */
export const engineAdapterDocs = docsOf(true)

export type { Adapter, AdapterEngine, AdapterHandler, AdapterMethod, AdapterRequest } from './adapter.js'
