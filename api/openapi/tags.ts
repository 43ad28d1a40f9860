/** What the routes of each tag are about. */
const TAGS: { readonly [name: string]: string } = {
  documents: 'Documents, their places, versions, rights and what is shown of them',
  comments: 'Comments and annotations of documents',
  files: 'Files of documents, renditions and downloads',
  uploads: 'Files in batches, whole or in chunks that can be resumed',
  queries: 'NXQL and page providers',
  'business objects': 'Documents under the names that an adapter gives to their properties',
  automation: 'Calls of operations and chains, runs and schedules',
  bulk: 'Actions on all documents of a query',
  events: 'What happens, as a stream, and its deliveries to webhooks',
  contributions: 'What is deployed: chains, types, page providers and more',
  conversions: 'Files in other formats',
  workflows: 'Document workflows and their tasks',
  'saved searches': 'Searches that users keep',
  users: 'Users, their passwords and logins',
  groups: 'Groups of users',
  directories: 'Vocabularies and other directories with their entries',
  'content model': 'Types, schemas and facets of documents',
  discovery: 'What the server is and can do',
  operation: 'Health and metrics for operators',
  importers: 'Folders of the server that become documents, for administrators',
  search: 'The search index for administrators: state, rebuild, comparison, parked documents',
}

/** Of a tag that no route describes, the name says it: `operations: Files`. */
export const describeTag = (name: string): { name: string; description: string } => ({
  name,
  description: TAGS[name] ?? name.replace(/^operations: (.*)$/, 'Operations of the category $1'),
})
