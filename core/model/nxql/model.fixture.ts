import { mergeContributions } from '../../platform/contributions/index.js'
import { buildContentModel, type ContentModel, contentModelPoints } from '../content-model/index.js'

const YAML = `
schemas:
  dublincore:
    prefix: dc
    fields:
      title: string
      description: string
      subjects: string[]
      created: date
      modified: date
  file: { fields: { content: blob } }
  files: { fields: { files: { type: 'complex[]', fields: { file: blob, filename: string } } } }
  sample:
    prefix: s
    fields:
      score: double
      size: long
      flag: boolean
      dates: date[]
      numbers: long[]
      address: { type: complex, fields: { city: string } }
      people:
        type: complex[]
        fields: { name: string, age: long, tags: 'string[]' }
facets:
  Folderish: {}
  HiddenInNavigation: {}
  Immutable: {}
  Downloadable: {}
synonyms:
  seas: { words: [ocean, mer, deep sea] }
lifecycles:
  default: { initial: project, states: { project: [] } }
types:
  Document: { lifecycle: default, schemas: [dublincore] }
  Relation: {}
  DefaultRelation: { extends: Relation }
  Folder: { facets: [Folderish] }
  Workspace: { extends: Folder }
  Root: { extends: Folder }
  File: { schemas: [file, files, sample], facets: [Downloadable] }
fulltext:
  default: { excludedTypes: [Root] }
  title: { fields: [dc:title], weight: A }
  description: { fields: [dc:description], weight: B }
`

/** A content model with a field of every shape, for the tests of this room. */
export const sampleModel = (): ContentModel =>
  buildContentModel(mergeContributions([{ file: 'sample.yaml', text: YAML }], contentModelPoints))
