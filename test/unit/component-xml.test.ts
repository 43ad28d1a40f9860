import { expect, test } from 'vitest'
import { partsOfComponent } from '../../core/automation/chains/index.js'
import { jsonSchemaOf, readElements } from '../../core/platform/contributions/index.js'
import { configuredPoints } from '../../runtime/configuration/configuration.js'

const claims = configuredPoints.flatMap(({ point, elements }) => (elements ? [{ point, elements }] : []))

/** Points with a reader of their own, and those that nothing is deployed to. */
const APART = ['chains', 'scripts', 'eventHandlers', 'schedules']

const component = (inner: string): string =>
  `<component name="org.example"><extension target="any" point="any">${inner}</extension></component>`

const contentOf = (inner: string) => {
  const parts = partsOfComponent(component(inner), claims)
  const { point: pointName, name, text } = parts[0]!
  const point = configuredPoints.find(({ point }) => point === pointName)!
  const read = readElements({ name, text }, { elements: point.elements ?? {}, schema: jsonSchemaOf(point) })
  if (read.problems.length > 0) return { label: `${pointName}/${name}`, problems: read.problems }
  const { enabled: _, ...content } = read.content as { enabled?: boolean }
  return { label: `${pointName}/${name}`, count: parts.length, content: point.schema.parse(content) }
}

const rows: readonly [label: string, xml: string, content: object][] = [
  [
    'schemas/invoice',
    `<schema name="invoice" prefix="inv"><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
      <xs:simpleType name="state"><xs:restriction base="xs:string"><xs:enumeration value="open"/><xs:enumeration value="paid"/></xs:restriction></xs:simpleType>
      <xs:complexType name="lines"><xs:sequence><xs:element name="line" maxOccurs="unbounded"><xs:complexType><xs:sequence>
        <xs:element name="text" type="xs:string"/><xs:element name="price" type="xs:decimal"/></xs:sequence></xs:complexType></xs:element></xs:sequence></xs:complexType>
      <xs:element name="number" type="xs:integer" default="1"/><xs:element name="state" type="state"/><xs:element name="lines" type="lines"/>
      <xs:element name="due" type="xs:dateTime" nillable="false"/>
      <xs:element name="tags"><xs:simpleType><xs:list itemType="xs:string"/></xs:simpleType></xs:element>
    </xs:schema></schema>`,
    {
      prefix: 'inv',
      fields: {
        number: { type: 'long', default: 1 },
        state: { type: 'string', values: ['open', 'paid'] },
        lines: { type: 'complex[]', fields: { text: { type: 'string' }, price: { type: 'double' } } },
        due: { type: 'date', required: true },
        tags: { type: 'string[]' },
      },
    },
  ],
  [
    'types/Invoice',
    `<doctype name="Invoice" extends="File"><schema name="invoice"/><facet name="Commentable"/><subtypes><type>Note</type></subtypes></doctype>
     <type id="Invoice" coretype="Invoice"><label>Invoice</label><icon>/icons/invoice.png</icon></type>
     <types><type name="Invoice">default</type></types>`,
    {
      ...{ extends: 'File', schemas: ['invoice'], facets: ['Commentable'], allowedChildren: ['Note'] },
      ...{ icon: '/icons/invoice.png', lifecycle: 'default' },
    },
  ],
  [
    'listeners/stamper',
    '<listener name="stamper" class="Document.SetProperty" postCommit="true" async="true" priority="20" retryCount="3" transactionTimeOut="60" singlethread="false"><event>documentCreated</event><event>documentModified</event></listener>',
    {
      ...{ events: ['documentCreated', 'documentModified'], operation: 'Document.SetProperty' },
      ...{ postCommit: true, async: true, priority: 20, retryCount: 3, transactionTimeOut: 60 },
    },
  ],
  [
    'webhooks/bus',
    '<webhook name="bus" url="https://bus.example.org/x"><event>documentCreated</event><type>File</type><path>/ws</path></webhook>',
    { url: 'https://bus.example.org/x', events: ['documentCreated'], types: ['File'], path: '/ws' },
  ],
  [
    'routes/review',
    `<template-resource id="review" path="data/review.zip">
       <document><system><type>DocumentRoute</type><path>models/review</path></system>
         <schema xmlns:dc="http://x/dc" name="dublincore"><dc:title>wf.review</dc:title></schema></document>
       <document><system><type>RouteNode</type><path>models/review/begin</path></system>
         <schema xmlns:rnode="http://x/rnode" name="route_node"><rnode:nodeId>begin</rnode:nodeId><rnode:start>true</rnode:start>
           <rnode:transitions><item><name>go</name><targetId>end</targetId></item></rnode:transitions></schema></document>
       <document><system><type>RouteNode</type><path>models/review/end</path></system>
         <schema xmlns:rnode="http://x/rnode" name="route_node"><rnode:nodeId>end</rnode:nodeId><rnode:stop>true</rnode:stop></schema></document>
     </template-resource>`,
    {
      title: 'wf.review',
      nodes: {
        begin: { start: true, transitions: [{ name: 'go', targetId: 'end' }] },
        end: { stop: true },
      },
    },
  ],
  ['durations/review', '<duration label="review" numberOfDays="5"/>', { numberOfDays: 5 }],
  [
    'holidayCalendars/default',
    '<csvFile><embedded>24/12/2026\n31/12/2026</embedded></csvFile>',
    {
      ...{ dates: ['2026-12-24', '2026-12-31'], except: [], types: ['public'] },
      ...{ weekend: ['saturday', 'sunday'], timezone: 'UTC' },
    },
  ],
  ['facets/Paid', '<facet name="Paid"><schema name="invoice"/></facet>', { schemas: ['invoice'] }],
  [
    'lifecycles/invoices',
    `<lifecycle name="invoices" defaultInitial="open">
       <transitions><transition name="pay" destinationState="paid"><description>Pay it</description></transition></transitions>
       <states><state name="open" description="Open" initial="true"><transitions><transition>pay</transition></transitions></state><state name="paid"/></states>
     </lifecycle>`,
    {
      initial: 'open',
      states: { open: ['pay'], paid: [] },
      transitions: { pay: { to: 'paid', description: 'Pay it' } },
    },
  ],
  [
    'fulltext/numbers',
    '<index name="numbers" weight="A"><field>inv:number</field><excludedTypes><type>Root</type></excludedTypes></index>',
    { weight: 'A', fields: ['inv:number'], excludedTypes: ['Root'] },
  ],
  [
    'permissions/Audit',
    '<permission name="Audit"><include>Read</include><include>Browse</include><remove>Write</remove><alias>Auditing</alias></permission>',
    { includes: ['Read', 'Browse'], removes: ['Write'], aliases: ['Auditing'] },
  ],
  [
    'securityPolicies/closed',
    '<policy name="closed" order="5" enabled="true"><decision>deny</decision><permissions>Write</permissions><when><types>File, Note</types><lockedByOther>true</lockedByOther></when></policy>',
    {
      order: 5,
      decision: 'deny',
      permissions: ['Write'],
      when: { types: ['File', 'Note'], lockedByOther: true },
    },
  ],
  [
    'visiblePermissions/Section',
    '<visible type="Section"><item show="true" order="10" denyPermission="Write" id="rw">ReadWrite</item></visible>',
    { items: { ReadWrite: { show: true, order: 10, deny: 'Write' } } },
  ],
  ['configuration/a.b', '<property name="a.b">true</property>', { value: 'true' }],
  [
    'responseHeaders/X-UA-Compatible',
    '<header name="X-UA-Compatible" enabled="true">IE=10; IE=11</header>',
    { value: 'IE=10; IE=11' },
  ],
  [
    'converters/odt2pdf',
    `<converter name="odt2pdf" class="org.nuxeo.ecm.platform.convert.plugins.CommandLineConverter">
       <sourceMimeType>application/vnd.oasis.opendocument.text</sourceMimeType><sourceMimeType>text/plain</sourceMimeType>
       <destinationMimeType>application/pdf</destinationMimeType>
       <parameters><parameter name="CommandLineName">soffice</parameter></parameters></converter>`,
    {
      engine: 'office',
      sourceMimeTypes: ['application/vnd.oasis.opendocument.text', 'text/plain'],
      destinationMimeType: 'application/pdf',
      parameters: { CommandLineName: 'soffice' },
    },
  ],
  [
    'transientStores/shared',
    `<store name="shared" class="org.nuxeo.ecm.core.transientstore.keyvalueblob.KeyValueBlobTransientStore" path="uploads">
       <targetMaxSizeMB>10</targetMaxSizeMB><absoluteMaxSizeMB>-1</absoluteMaxSizeMB>
       <firstLevelTTL>240</firstLevelTTL><secondLevelTTL>10</secondLevelTTL><property name="x">y</property></store>`,
    {
      ...{ kind: 'cluster', path: 'uploads', targetMaxSizeMB: 10, absoluteMaxSizeMB: -1 },
      ...{ firstLevelTTL: 240, secondLevelTTL: 10 },
    },
  ],
  [
    'blobDispatcher/default',
    `<blobdispatcher><class>org.nuxeo.ecm.core.blob.DefaultBlobDispatcher</class>
       <property name="default">files</property>
       <property name="ecm:primaryType=Video,blob:mime-type=video/mp4,blob:length&gt;1000">s3</property></blobdispatcher>`,
    {
      order: 0,
      rules: [
        { store: 's3', types: ['Video'], mimeTypes: ['video/mp4'], minBytes: 1001 },
        { store: 'files' },
      ],
    },
  ],
  [
    'uploadHandlers/other',
    '<batchHandler name="other" class="org.example.Handler"><property name="transientStore">shared</property></batchHandler>',
    { transientStore: 'shared' },
  ],
  [
    'converters/steps',
    '<converter name="steps" class="org.nuxeo.ChainConverter"><conversionSteps><subconverter>odt2pdf</subconverter><step>text/plain</step></conversionSteps></converter>',
    { conversionSteps: ['odt2pdf', 'text/plain'] },
  ],
  [
    'converters/convertToMKV',
    `<converter name="convertToMKV" class="org.nuxeo.ecm.platform.video.convert.VideoConversionConverter">
       <sourceMimeType>video/mp4</sourceMimeType><destinationMimeType>video/x-matroska</destinationMimeType>
       <parameters><parameter name="CommandLineName">ffmpeg-tomkv</parameter>
         <parameter name="videoMimeType">video/x-matroska</parameter><parameter name="videoExtension">mkv</parameter>
         <parameter name="tmpDirectoryPrefix">convertToMKV</parameter></parameters></converter>`,
    {
      engine: 'video',
      sourceMimeTypes: ['video/mp4'],
      destinationMimeType: 'video/x-matroska',
      parameters: {
        CommandLineName: 'ffmpeg-tomkv',
        videoMimeType: 'video/x-matroska',
        videoExtension: 'mkv',
        tmpDirectoryPrefix: 'convertToMKV',
      },
    },
  ],
  [
    'commands/ffmpeg-tomkv',
    `<command name="ffmpeg-tomkv" enabled="true"><commandLine>ffmpeg</commandLine>
       <parameterString>-i #{inFilePath} -s #{width}x#{height} #{outFilePath}</parameterString>
       <winParameterString>-i #{inFilePath}</winParameterString>
       <installationDirective>Install ffmpeg.</installationDirective></command>`,
    {
      commandLine: 'ffmpeg',
      parameterString: '-i #{inFilePath} -s #{width}x#{height} #{outFilePath}',
      installationDirective: 'Install ffmpeg.',
    },
  ],
  [
    'pictureConversions/Small',
    '<pictureConversion id="Small" description="Small size" order="100" maxSize="560" chainId="Image.Blob.Resize" rendition="true"><filters><filter-id>none</filter-id></filters></pictureConversion>',
    { description: 'Small size', order: 100, maxSize: 560, rendition: true, filters: ['none'] },
  ],
  [
    'videoConversions/MP4 480p',
    '<videoConversion name="MP4 480p" converter="convertToMP4" height="480" rendition="false"/>',
    { converter: 'convertToMP4', height: 480, rendition: false },
  ],
  [
    'videoPreviews/default',
    '<videoPreview name="default" storyboardMinDuration="5" storyboardThumbnailCount="4"/>',
    { storyboardMinDuration: 5, storyboardThumbnailCount: 4 },
  ],
  [
    'automaticVideoConversions/MP4 480p',
    '<automaticVideoConversion name="MP4 480p" order="10" enabled="true"/>',
    { order: 10 },
  ],
  [
    'renditionDefinitions/asWebp',
    '<renditionDefinition name="asWebp" visible="false" cmisName="x"><label>WebP</label><kind>a</kind><converter>pictureToWebp</converter></renditionDefinition>',
    { label: 'WebP', kind: 'a', visible: false, converter: 'pictureToWebp' },
  ],
  [
    'renditionDefinitions/pdf',
    '<renditionDefinition name="pdf"><filters><filter-id>writers</filter-id><filter-id>files</filter-id></filters></renditionDefinition>',
    { filters: ['writers', 'files'] },
  ],
  [
    'mediaListeners/films',
    '<mediaListener name="films" makes="video"><facets><facet>Video</facet></facets></mediaListener>',
    { makes: 'video', facets: ['Video'] },
  ],
  [
    'adapters/Bean',
    '<adapter name="Bean" type="File"><field name="title" xpath="dc:title" readOnly="true"/><field name="source">dc:source</field></adapter>',
    { type: 'File', fields: { title: { xpath: 'dc:title', readOnly: true }, source: 'dc:source' } },
  ],
  [
    'enrichers/permissions',
    '<enricher name="permissions" class="org.nuxeo.BasePermissionsJsonEnricher"><category>a</category><category>b</category><parameter name="permissions">Read,Write</parameter></enricher>',
    {
      class: 'org.nuxeo.BasePermissionsJsonEnricher',
      categories: ['a', 'b'],
      parameters: { permissions: ['Read', 'Write'] },
    },
  ],
  [
    'operationFilters/Document.Delete',
    '<binding name="Document.Delete"><administrator>true</administrator><secure>false</secure><groups><group>members</group></groups></binding>',
    { administrator: true, secure: false, groups: ['members'] },
  ],
  ['secretParameters/token', '<secretParameter name="token"/>', {}],
  [
    'pageProviders/invoices',
    `<coreQueryPageProvider name="invoices"><property name="coreSession">#{documentManager}</property><property name="maxResults">PAGE_SIZE</property>
       <whereClause docType="File"><fixedPart statement="SELECT * FROM File">ecm:isVersion = 0</fixedPart>
         <predicate parameter="dc:title" operator="LIKE"><field schema="invoice" name="number"/></predicate></whereClause>
       <sort column="dc:title" ascending="false"/><pageSize>20</pageSize>
       <quickFilters><quickFilter name="new"><clause>dc:source = 'x'</clause></quickFilter></quickFilters>
       <aggregates><aggregate id="a" type="terms" parameter="dc:nature"><field schema="invoice" name="natures"/><properties><property name="size">7</property></properties></aggregate></aggregates>
     </coreQueryPageProvider>`,
    {
      maxResults: 'PAGE_SIZE',
      pageSize: 20,
      searchDocumentType: 'File',
      whereClause: {
        statement: 'SELECT * FROM File',
        fixedPart: 'ecm:isVersion = 0',
        predicates: [{ parameter: 'dc:title', operator: 'LIKE', fields: ['invoice:number'] }],
      },
      sort: [{ field: 'dc:title', isAscending: false }],
      quickFilters: [{ name: 'new', clause: "dc:source = 'x'" }],
      aggregates: [{ id: 'a', field: 'dc:nature', selection: 'invoice:natures', properties: { size: 7 } }],
    },
  ],
  [
    'pageProviders/plain',
    '<genericPageProvider name="plain" class="org.nuxeo.X"><pattern quoteParameters="false" escapeParameters="true">SELECT * FROM File WHERE dc:title = ?</pattern></genericPageProvider>',
    { pattern: 'SELECT * FROM File WHERE dc:title = ?', quoteParameters: false },
  ],
  [
    'directories/colours',
    `<directory name="colours" extends="template-vocabulary"><schema>vocabulary</schema><idField>id</idField><types><type>system</type></types>
       <dataSource>java:/x</dataSource><table>colours</table><readOnly>true</readOnly><cacheTimeout>60</cacheTimeout>
       <references><inverseReference field="groups" directory="groupDirectory" dualReferenceField="members"/></references>
       <deleteConstraints><deleteConstraint class="x"><property name="targetDirectory">shades</property><property name="targetDirectoryField">parent</property></deleteConstraint></deleteConstraints>
       <permissions><permission name="Read"><group>members</group><user>ann</user></permission></permissions></directory>`,
    {
      ...{ extends: 'template-vocabulary', schema: 'vocabulary', idField: 'id', types: ['system'] },
      ...{ readOnly: true, cacheTimeout: 60 },
      references: { groups: { directory: 'groupDirectory', inverseOf: 'members' } },
      deleteConstraints: [{ directory: 'shades', field: 'parent' }],
      permissions: { Read: { groups: ['members'], users: ['ann'] } },
    },
  ],
  [
    'directories/all',
    '<directory name="all"><source name="a" creation="true"><subDirectory name="one" optional="true"><field for="id">key</field></subDirectory></source></directory>',
    {
      sources: { a: { creation: true, subDirectories: { one: { optional: true, fields: { id: 'key' } } } } },
    },
  ],
  [
    'downloadPermissions/mine',
    '<permission name="mine"><script language="JavaScript">function run() { return true }</script></permission>',
    { language: 'JavaScript', script: 'function run() { return true }' },
  ],
  [
    'userManager/default',
    `<userManager class="org.nuxeo.X"><defaultAdministratorId>root</defaultAdministratorId><administratorsGroup>bosses</administratorsGroup><defaultGroup/>
       <userSortField>lastName</userSortField><users><directory>userDirectory</directory><listingMode>tabbed</listingMode><searchFields append="true"><exactMatchSearchField>email</exactMatchSearchField></searchFields></users></userManager>`,
    {
      ...{ defaultAdministrators: ['root'], administratorsGroups: ['bosses'], defaultGroup: null },
      users: { sortField: 'lastName', listingMode: 'tabbed', searchFields: { exact: ['email'] } },
    },
  ],
  [
    'corsConfig/docs',
    '<corsConfig name="docs" allowOrigin="https://docs.example.org" supportedMethods="GET POST" maxAge="60" supportsCredentials="false"><pattern>/nuxeo/.*</pattern></corsConfig>',
    {
      pattern: '/nuxeo/.*',
      allowOrigin: 'https://docs.example.org',
      supportedMethods: 'GET POST',
      maxAge: 60,
      supportsCredentials: false,
    },
  ],
  [
    'userWorkspaces/default',
    '<userWorkspace userWorkspaceRootType="Folder" userWorkspaceRootName="homes" userWorkspaceType="Workspace"/>',
    { root: { type: 'Folder', name: 'homes' }, type: 'Workspace' },
  ],
  [
    'notifications/Approved',
    '<notification name="Approved" channel="email" enabled="true" availableIn="Workspace" autoSubscribed="true" template="t" subject="s" label="Approved"><event name="approved"/></notification>',
    { label: 'Approved', events: ['approved'], isAutomatic: true },
  ],
  [
    'audit/documentModified',
    '<event name="documentModified" enabled="true"><extendedInfos><extendedInfo key="title" expression="Document.title"/></extendedInfos></event>',
    { enabled: true, extendedInfos: { title: 'Document.title' } },
  ],
  [
    'requestFilters/audit_wf',
    '<requestFilter index="audit_wf" filterClass="org.example.WorkflowAuditRequestFilter"/>',
    { source: 'audit', query: { term: { category: 'Routing' } } },
  ],
  [
    'synonyms/vehicles',
    '<synonym name="vehicles"><word>car</word><word>motor car</word></synonym>',
    { words: ['car', 'motor car'] },
  ],
  [
    'searchIndex/nuxeo',
    `<elasticSearchIndex name="nuxeo" type="doc" repository="default">
       <settings>{"number_of_shards": 1, "analysis": {"normalizer": {"folded": {"type": "custom", "filter": ["lowercase"]}}}}</settings>
       <mapping>{"properties": {
         "ecm:path": {"type": "keyword", "fields": {"depth": {"type": "token_count"}}},
         "dc:title": {"type": "text", "fields": {"fulltext": {"type": "text"}, "folded": {"type": "keyword", "normalizer": "folded"}}},
         "dc:source": {"type": "keyword", "index": false}}}</mapping>
     </elasticSearchIndex>`,
    {
      analysis: { normalizer: { folded: { type: 'custom', filter: ['lowercase'] } } },
      fields: { 'dc:title': { folded: { type: 'keyword', normalizer: 'folded' } } },
      excludes: ['dc:source'],
    },
  ],
  [
    'importerConfig/default',
    `<importerConfig><sourcePath>/scans/in</sourcePath><processedPath>/scans/done</processedPath><nbThreads>1</nbThreads>
       <batchSize>20</batchSize><targetPath>/ws</targetPath><useXMLMapping>true</useXMLMapping><update>false</update></importerConfig>`,
    {
      ...{
        sourcePath: '/scans/in',
        processedPath: '/scans/done',
        targetPath: '/ws',
        nbThreads: 1,
        batchSize: 20,
      },
      ...{ useXMLMapping: true, createInitialFolder: true, mergeInitialFolder: false, update: false },
    },
  ],
  [
    'importerMapping/default',
    `<mapping><targetContainerType>Workspace</targetContainerType><targetLeafType>Note</targetLeafType>
       <fieldMappings><fieldMapping sourceXPath="//title" sourceAttribute="TEXT" targetXPath="dc:title"/>
         <fieldMapping sourceXPath="/doc/at" sourceAttribute="day" targetXPath="dc:issued" targetType="date" dateFormat="dd/MM/yyyy"/></fieldMappings>
       <blobMappings><blobMapping sourceXPath="//file" sourcePathAttribute="path" sourceFilenameAttribute="name"/></blobMappings></mapping>`,
    {
      ...{ targetContainerType: 'Workspace', targetLeafType: 'Note' },
      fieldMappings: [
        { sourceXPath: '//title', sourceAttribute: 'TEXT', targetXPath: 'dc:title', targetType: 'string' },
        {
          ...{ sourceXPath: '/doc/at', sourceAttribute: 'day', targetXPath: 'dc:issued' },
          ...{ targetType: 'date', dateFormat: 'dd/MM/yyyy' },
        },
      ],
      blobMappings: [
        {
          ...{ sourceXPath: '//file', sourcePathAttribute: 'path', sourceFilenameAttribute: 'name' },
          targetXPath: 'file:content',
        },
      ],
    },
  ],
  [
    'fileImporters/pictures',
    '<plugin name="pictures" class="org.nuxeo.ImagePlugin" order="10" docType="Picture"><filter>image/.*</filter><filter>application/photoshop</filter></plugin>',
    { mimeTypes: ['image/*', 'application/photoshop'], type: 'Picture', order: 10, note: false },
  ],
  [
    'templates/hello',
    '<template name="hello" type="ftl">Hello you</template>',
    { text: 'Hello you', type: 'ftl' },
  ],
  [
    'filters/writers',
    `<filter id="writers" append="true"><rule grant="true"><permission>Write</permission><type>File</type><type>Note</type></rule>
       <rule><facet>Folderish</facet><schema>note</schema><group>guests</group><condition>#{Document.title == "x"}</condition></rule></filter>`,
    {
      rules: [
        {
          ...{ grant: true, permissions: ['Write'], types: ['File', 'Note'], facets: [], schemas: [] },
          ...{ groups: [], conditions: [] },
        },
        {
          ...{ grant: false, permissions: [], types: [], facets: ['Folderish'], schemas: ['note'] },
          ...{ groups: ['guests'], conditions: ['#{Document.title == "x"}'] },
        },
      ],
    },
  ],
  [
    'actions/print',
    `<action id="print" type="link" link="/print" order="20" label="Print"><category>DOCUMENT</category>
       <filter id="p"><rule grant="true"><permission>Read</permission><type>File</type><facet>Commentable</facet></rule></filter>
       <properties><property name="key">p</property></properties></action>`,
    {
      ...{ categories: ['DOCUMENT'], link: '/print', order: 20, label: 'Print', properties: { key: 'p' } },
      ...{ permission: 'Read', types: ['File'], facets: ['Commentable'] },
    },
  ],
  [
    'versioningFilters/notes',
    '<filter id="notes" class="org.nuxeo.X"><type>Note</type><condition>true</condition></filter>',
    { types: ['Note'], condition: 'true' },
  ],
  [
    'versioningPolicies/notes',
    '<policy id="notes" increment="MINOR" beforeUpdate="true" order="5"><initialState major="1" minor="0"/><filter-id>notes</filter-id></policy>',
    {
      ...{ increment: 'MINOR', beforeUpdate: true, order: 5, filters: ['notes'] },
      initialState: { major: 1, minor: 0 },
    },
  ],
  [
    'versioningRestrictions/File',
    '<restriction type="File"><options lifeCycleState="project"><option>MINOR</option></options><options lifeCycleState="*"><option>NONE</option></options></restriction>',
    { options: { project: ['MINOR'], '*': ['NONE'] } },
  ],
]

test.each(rows)('%s is read from its XML', (label, xml, content) => {
  const found = contentOf(xml)
  expect(found).toMatchObject({ label, count: 1, content })
})

test('every extension point has XML', () => {
  const read = new Set([...rows.map(([label]) => label.split('/')[0]), ...APART])
  const points = configuredPoints.filter(({ isSeed }) => !isSeed).map(({ point }) => point)
  expect(points.filter((point) => !read.has(point))).toEqual([])
})

test.each<[string, string, object]>([
  [
    'an unknown attribute',
    '<corsConfig name="a" allowOrigins="x"/>',
    { message: 'unexpected "allowOrigins" of <corsConfig>, did you mean "allowOrigin"?', line: 1 },
  ],
  ['an unknown element', '<permission name="a"><includes2>x</includes2></permission>', { line: 1 }],
  [
    'the file of a schema',
    '<schema name="a" src="schemas/a.xsd"/>',
    { message: expect.stringContaining('write its <xs:schema> inside <schema>') },
  ],
  [
    'an unknown type of a field',
    '<schema name="a"><schema><element name="b" type="xs:duration"/></schema></schema>',
    { message: 'unknown type "xs:duration"' },
  ],
  [
    'a line that is no day',
    '<csvFile><embedded>24/12/2026\n2026-12-31</embedded></csvFile>',
    { message: '"2026-12-31" is no day; one is written 24/12/2026' },
  ],
  [
    'the archive of a model of workflows',
    '<template-resource id="review" path="data/review.zip"/>',
    { message: expect.stringContaining('POST /api/v1/workflowModel') },
  ],
  [
    'an export of no route',
    '<template-resource id="review"><document><system><type>RouteNode</type></system></document></template-resource>',
    { message: 'The export has 0 documents of type DocumentRoute; one is expected' },
  ],
])('%s is refused', (_, xml, problem) => {
  expect(contentOf(xml)).toMatchObject({ problems: [problem] })
})

test('an element without a name, or of no point, is refused', () => {
  expect(() => partsOfComponent(component('<permission/>'), claims)).toThrow(/needs the attribute name/)
  expect(() => partsOfComponent(component('<gadget name="x"/>'), claims)).toThrow(
    /unexpected element <gadget>/,
  )
})
