import { buildContentModel, type ContentModel, contentModelPoints } from '../../model/content-model/index.js'
import { type Contributions, mergeContributions } from '../../platform/contributions/index.js'
import { type PageProviderDefinition, pageProvidersPoint } from './page-providers-point.js'

const MODEL = `
schemas:
  dublincore:
    prefix: dc
    fields: { title: string, subjects: 'string[]', nature: string, modified: date }
  file: { fields: { content: blob } }
  counter: { prefix: c, fields: { count: long, flag: boolean } }
  form:
    fields:
      text: string
      natures: 'string[]'
      subjects: 'string[]'
      from: date
      to: date
      count: long
      flag: boolean
      operator: string
      keys: 'string[]'
facets: { Folderish: {} }
lifecycles:
  default: { initial: project, states: { project: [] } }
types:
  Document: { lifecycle: default, schemas: [dublincore] }
  File: { schemas: [file, counter] }
  Form: { schemas: [form] }
`

const contributionsOf = (yaml: string): Contributions =>
  mergeContributions(
    [
      { file: 'model.yaml', text: MODEL },
      { file: 'providers.yaml', text: yaml },
    ],
    [...contentModelPoints, pageProvidersPoint],
  )

/** Page providers of a YAML text, with the model that their search documents are of. */
export const providersOf = (
  yaml: string,
): { model: ContentModel; provider: (name: string) => PageProviderDefinition } => {
  const contributions = contributionsOf(yaml)
  return {
    model: buildContentModel(contributions),
    provider: (name) => {
      const found = contributions.get(pageProvidersPoint).get(name)
      if (!found) throw new Error(`No provider ${name}`)
      return found
    },
  }
}
