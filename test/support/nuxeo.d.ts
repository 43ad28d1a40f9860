/** What the tests use of the public JavaScript client, which brings no types of its own. */
declare module 'nuxeo' {
  class Base {
    repositoryName(name: string): this
    schemas(schemas: readonly string[]): this
    enrichers(enrichers: Nuxeo.Names): this
    enricher(entity: string, name: string): this
    fetchProperties(properties: Nuxeo.Names): this
    fetchProperty(entity: string, name: string): this
    depth(depth: string): this
    headers(headers: Nuxeo.Headers): this
    header(name: string, value: string): this
    transactionTimeout(seconds: number): this
  }

  class Nuxeo extends Base {
    constructor(options: Nuxeo.Options & { baseURL: string; apiPath?: string; auth?: Nuxeo.Auth })
    connected: boolean
    user: Nuxeo.User
    serverVersion: { version: string; gte(version: string): boolean }
    connect(): Promise<Nuxeo>
    login(): Promise<Nuxeo>
    http<Result>(options: Nuxeo.Options & { url: string; method?: string }): Promise<Result>
    request(path: string, options?: Nuxeo.Options): Nuxeo.Request
    operation(id: string, options?: Nuxeo.Options): Nuxeo.Operation
    repository(options?: Nuxeo.Options): Nuxeo.Repository
    repository(name: string, options?: Nuxeo.Options): Nuxeo.Repository
    users(): Nuxeo.Users
    groups(): Nuxeo.Groups
    directory(name: string): Nuxeo.Directory
    workflows(options?: Nuxeo.Options): Nuxeo.Workflows
    batchUpload(options?: Nuxeo.Options): Nuxeo.BatchUpload
  }

  namespace Nuxeo {
    type Names = { [entity: string]: readonly string[] }
    type Headers = { [name: string]: string }
    type Auth = { method: 'basic'; username: string; password: string }
    type Options = {
      repositoryName?: string
      schemas?: readonly string[]
      enrichers?: Names
      fetchProperties?: Names
      depth?: string
      headers?: Headers
      queryParams?: { [name: string]: unknown }
      body?: unknown
      resolveWithFullResponse?: boolean
    }

    /** The answer itself, where it is no entity: of node-fetch, not of the platform. */
    type Answer = Pick<Response, 'status' | 'url' | 'headers' | 'text' | 'arrayBuffer'>

    class User extends Base {
      'entity-type': 'user'
      id: string
      properties: { [name: string]: unknown }
      extendedGroups: { name: string; label: string; url: string }[]
      isAdministrator: boolean
      set(properties: Fields): this
      get(property: string): unknown
      save(options?: Options): Promise<User>
    }

    class Users extends Base {
      fetch(name: string, options?: Options): Promise<User>
      create(user: { properties: Fields }, options?: Options): Promise<User>
      update(user: { id: string; properties: Fields }, options?: Options): Promise<User>
      delete(name: string, options?: Options): Promise<Answer>
    }

    type GroupFields = {
      groupname: string
      grouplabel?: string
      memberUsers?: string[]
      memberGroups?: string[]
    }

    class Group extends Base {
      'entity-type': 'group'
      id: string
      groupname: string
      grouplabel: string
      memberUsers: string[]
      memberGroups: string[]
      save(options?: Options): Promise<Group>
    }

    class Groups extends Base {
      fetch(name: string, options?: Options): Promise<Group>
      create(group: GroupFields, options?: Options): Promise<Group>
      update(group: GroupFields, options?: Options): Promise<Group>
      delete(name: string, options?: Options): Promise<Answer>
    }

    class DirectoryEntry extends Base {
      'entity-type': 'directoryEntry'
      id: string
      directoryName: string
      properties: Fields
      set(properties: Fields): this
      get(property: string): unknown
      save(options?: Options): Promise<DirectoryEntry>
    }

    class Directory extends Base {
      fetchAll(options?: Options): Promise<{ entries: DirectoryEntry[]; resultsCount: number }>
      fetch(id: string, options?: Options): Promise<DirectoryEntry>
      create(entry: { properties: Fields }, options?: Options): Promise<DirectoryEntry>
      update(entry: { id?: string; properties: Fields }, options?: Options): Promise<DirectoryEntry>
      delete(id: string, options?: Options): Promise<Answer>
    }

    type Fields = { [property: string]: unknown }

    type Page = {
      'entity-type': 'documents'
      entries: Document[]
      resultsCount: number
      pageSize: number
      currentPageIndex: number
      numberOfPages: number
      isNextPageAvailable: boolean
    }

    type Acl = { name: string; aces: { id: string; username: string; permission: string }[] }

    type Conversion = { converter?: string; type?: string; format?: string; xpath?: string }

    type Scheduled = { conversionId: string; pollingURL: string; resultURL: string }

    class Workflows extends Base {
      start(
        model: string,
        wanted?: { attachedDocumentIds?: readonly string[]; variables?: Fields },
        options?: Options,
      ): Promise<Workflow>
      fetch(id: string, options?: Options): Promise<Workflow>
      delete(id: string, options?: Options): Promise<unknown>
      fetchStartedWorkflows(model: string, options?: Options): Promise<{ entries: Workflow[] }>
      fetchTasks(
        asked?: { actorId?: string; workflowInstanceId?: string; workflowModelName?: string },
        options?: Options,
      ): Promise<{ entries: Task[] }>
    }

    class Workflow extends Base {
      id: string
      state: string
      initiator: string | { id: string }
      workflowModelName: string
      attachedDocumentIds: { id: string }[]
      variables: Fields
      fetchTasks(options?: Options): Promise<{ entries: Task[] }>
      fetchGraph(
        options?: Options,
      ): Promise<{ nodes: { id: string; state: string }[]; transitions: object[] }>
    }

    class Task extends Base {
      id: string
      state: string
      nodeName: string
      actors: ({ id: string } & Fields)[]
      delegatedActors: { id: string }[]
      comments: { author: string; text: string }[]
      variables: Fields
      variable(name: string, value: unknown): this
      complete(
        action: string,
        wanted?: { variables?: Fields; comment?: string },
        options?: Options,
      ): Promise<Task>
      reassign(actors: string | readonly string[], wanted?: { comment?: string }): Promise<unknown>
      delegate(actors: string | readonly string[], wanted?: { comment?: string }): Promise<unknown>
    }

    class Document extends Base {
      startWorkflow(model: string, options?: Options): Promise<Workflow>
      fetchWorkflows(options?: Options): Promise<{ entries: Workflow[] }>
      'entity-type': 'document'
      uid: string
      path: string
      type: string
      title: string
      state: string
      parentRef: string
      isVersion: boolean
      versionLabel?: string
      properties: Fields
      facets: string[]
      contextParameters: { [name: string]: unknown }
      set(properties: Fields): this
      get(property: string): unknown
      save(options?: Options): Promise<Document>
      isFolder(): boolean
      hasFacet(facet: string): boolean
      isCollectable(): boolean
      fetchBlob(xpath?: string): Promise<Answer>
      move(target: string, name?: string): Promise<Document>
      followTransition(name: string): Promise<Document>
      convert(conversion: Conversion): Promise<Answer>
      scheduleConversion(conversion: Conversion): Promise<Scheduled>
      fetchACLs(): Promise<Acl[]>
      hasPermission(name: string): Promise<boolean>
      addPermission(params: Fields): Promise<Document>
      removePermission(params: Fields): Promise<Document>
      fetchLockStatus(): Promise<{ lockOwner?: string; lockCreated?: string }>
      lock(): Promise<Document>
      unlock(): Promise<Document>
    }

    class Repository extends Base {
      fetch(ref: string, options?: Options): Promise<Document>
      create(
        parent: string,
        document: { type?: string; name?: string; properties?: Fields },
        options?: Options,
      ): Promise<Document>
      update(document: { uid: string; properties: Fields }, options?: Options): Promise<Document>
      delete(ref: string): Promise<Answer>
      query(query: Fields, options?: Options): Promise<Page>
    }

    class Request extends Base {
      path(path: string): this
      queryParams(parameters: { [name: string]: unknown }): this
      get<Result>(options?: Options): Promise<Result>
      post<Result>(options?: Options): Promise<Result>
      put<Result>(options?: Options): Promise<Result>
      delete<Result>(options?: Options): Promise<Result>
    }

    class Operation extends Base {
      param(name: string, value: unknown): this
      params(params: Fields): this
      context(context: Fields): this
      input(input: unknown): this
      execute<Result = Document>(options?: Options): Promise<Result>
    }

    type BatchBlob = { name?: string; size?: number; fileIdx?: string }

    class BatchUpload extends Base {
      upload(...blobs: readonly Blob[]): Promise<unknown>
      done(): Promise<{ blobs: BatchBlob[] }>
      fetchBlob(index: number): Promise<{ blob: BatchBlob }>
      fetchBlobs(): Promise<{ blobs: BatchBlob[] }>
      removeBlob(index: number): Promise<unknown>
      cancel(): Promise<unknown>
    }

    class Blob {
      constructor(options: { content: unknown; name?: string; mimeType?: string; size?: number })
    }
  }

  export = Nuxeo
}
