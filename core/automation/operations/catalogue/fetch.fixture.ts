import type { Row } from './row.fixture.js'

export const fetchRows: readonly Row[] = [
  ['Context.FetchDocument', 'Context Document(s)', 'Fetch', 'document>document documents>documents', ''],
  ['Repository.GetDocument Document.Fetch', 'Document', 'Fetch', 'void>document', 'value:document*'],
  [
    'Repository.Query Document.Query',
    'Query',
    'Fetch',
    'void>documents',
    'query:string=SELECT * FROM Document language:string=NXQL queryParams:stringlist namedParameters:properties currentPageIndex~page:integer pageSize:integer sortBy:stringlist sortOrder:stringlist maxResults:integer',
  ],
  [
    'Repository.ResultSetQuery ResultSet.PaginatedQuery',
    'ResultSet Query',
    'Fetch',
    'void>object',
    'query:string* language:string=NXQL queryParams:stringlist namedParameters:properties currentPageIndex~page:integer pageSize:integer sortBy:stringlist sortOrder:stringlist maxResults:integer',
  ],
  [
    'Repository.PageProvider Document.PageProvider',
    'PageProvider',
    'Fetch',
    'void>documents',
    'providerName:string query:string language:string=NXQL currentPageIndex~page:integer pageSize:integer queryParams~searchTerm:stringlist namedParameters:properties sortBy:stringlist sortOrder:stringlist sortInfo:stringlist quickFilters:stringlist maxResults:integer documentLinkBuilder:string offset:integer highlights:stringlist',
  ],
  [
    'Repository.ResultSetPageProvider Resultset.PageProvider',
    'QueryAndFetch',
    'Fetch',
    'void>object',
    'providerName:string query:string language:string=NXQL currentPageIndex~page:integer pageSize:integer queryParams~searchTerm:stringlist namedParameters:properties sortBy:stringlist sortOrder:stringlist sortInfo:stringlist quickFilters:stringlist maxResults:integer documentLinkBuilder:string',
  ],
  ['Context.FetchFile', 'Context File(s)', 'Fetch', 'blob*>blob', ''],
  [
    'Document.FetchByProperty',
    'Fetch By Property',
    'Fetch',
    'void>documents',
    'property:string* values:stringlist* query:string',
  ],
  [
    'Blob.CreateFromURL Blob.Create',
    'File From URL',
    'Fetch',
    'void>blob',
    'file:resource* mime-type:string filename:string encoding:string',
  ],
]
