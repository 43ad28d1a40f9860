import { expect, test } from 'vitest'
import { reported } from './check.fixture.js'

/** Chains that are deployed already. */
const others = { other: 'params:\n- who: {type: string}\noperations:\n- Log: {message: "expr:who"}\n' }

/** What a newcomer writes, and what is said of it: enough to correct it at once. Nothing where it means what it says. */
test.each<[name: string, text: string, reported: string[]]>([
  [
    'unknown type',
    '- Document.Create: {type: Fil, name: a}\n',
    ['1:27 warning: there is no document type "Fil", did you mean "File"?'],
  ],
  [
    'a syntax error beside other mistakes',
    '- Document.SetProprty: {xpath: dc:title}\n- Log:\n    message: a: b\n    levle: x\n- Document.SetLifeCycle: {}\n',
    [
      '1:3 unknown operation "Document.SetProprty", did you mean "Document.SetProperty"?',
      '3:14 Nested mappings are not allowed in compact mappings; a text with a colon and a space in it is written in quotes',
      '5:3 Document.SetLifeCycle needs the parameter "value"',
    ],
  ],
  [
    'xpath',
    '- Document.SetProperty: {xpath: "dc:titel", value: x}\n',
    ['1:33 warning: no schema has the property "dc:titel", did you mean "dc:title"?'],
  ],
  [
    'properties',
    '- Document.Update:\n    properties:\n      dc:titel: x\n      dc:issued: tomorrow\n      title: y\n      dcc:title: z\n',
    [
      '3:7 warning: no schema has the property "dc:titel", did you mean "dc:title"?',
      '4:18 warning: "dc:issued" holds a date such as 2024-05-31 or 2024-05-31T12:00:00Z, not "tomorrow"',
      '6:7 warning: no schema has the property "dcc:title", did you mean "dc:title"?',
    ],
  ],
  [
    "type's property",
    '- Document.Create:\n    type: Folder\n    properties: {note:note: x}\n',
    ['3:18 warning: documents of type Folder have no property "note:note"; it is of the schema note'],
  ],
  [
    'value of kind',
    '- Document.SetProperty: {xpath: "dc:issued", value: soon}\n- Document.SetProperty: {xpath: "dc:subjects", value: soon}\n',
    [
      '1:53 warning: "dc:issued" holds a date such as 2024-05-31 or 2024-05-31T12:00:00Z, not "soon"',
      '2:33 warning: "dc:subjects" does not hold a single value; Document.Update sets lists and maps',
    ],
  ],
  [
    'properties text',
    '- Document.Update:\n    properties: |\n      dc:titel=x\n      dc:issued=tomorrow\n',
    [
      '2:17 warning: no schema has the property "dc:titel", did you mean "dc:title"?',
      '2:17 warning: "dc:issued" holds a date such as 2024-05-31 or 2024-05-31T12:00:00Z, not "tomorrow"',
    ],
  ],
  [
    'permission',
    '- Document.AddPermission: {username: x, permission: Reed}\n',
    ['1:53 warning: there is no permission "Reed", did you mean "Read"?'],
  ],
  [
    'transition',
    '- Document.SetLifeCycle: {value: approv}\n',
    ['1:34 warning: there is no life-cycle transition "approv", did you mean "approve"?'],
  ],
  [
    'directory',
    '- Directory.Projection: {directoryName: natur, columnName: id, variableName: x}\n',
    ['1:41 warning: there is no directory or vocabulary "natur", did you mean "nature"?'],
  ],
  [
    'provider',
    '- Repository.PageProvider: {providerName: default_serch, sortBy: "dc:titl"}\n',
    [
      '1:43 warning: there is no page provider "default_serch", did you mean "default_search"?',
      '1:66 warning: no schema has the property "dc:titl", did you mean "dc:title"?',
    ],
  ],
  [
    'nxql',
    "- Repository.Query: {query: \"SELECT * FROM Fil WHERE dc:titel = 'x' AND ecm:primaryTyp = 'Note' AND ecm:primaryType IN ('Not','File') AND ecm:mixinType = 'Foldrish' AND ecm:currentLifeCycleState <> 'deletd' ORDER BY dc:created\"}\n",
    [
      '1:44 warning: there is no document type "Fil", did you mean "File"?',
      '1:54 warning: no schema has the property "dc:titel", did you mean "dc:title"?',
      '1:73 warning: queries know no property "ecm:primaryTyp", did you mean "ecm:primaryType"?',
      '1:121 warning: there is no document type "Not", did you mean "Note"?',
      '1:155 warning: there is no facet "Foldrish", did you mean "Folderish"?',
      '1:199 warning: there is no life-cycle state "deletd", did you mean "deleted"?',
    ],
  ],
  [
    'nxql syntax',
    '- Repository.Query: {query: "SELECT * FORM File"}\n',
    ['1:29 Syntax error: Invalid token <FORM> at offset 9'],
  ],
  [
    'nxql multi',
    "- Repository.Query:\n    query: >\n      SELECT * FROM File\n      WHERE dc:titel = 'x'\n",
    ['2:12 warning: no schema has the property "dc:titel", did you mean "dc:title"?'],
  ],
  [
    'in run',
    '- RunOperation:\n    id: Document.Create\n    parameters: {type: Fil, name: a, properties: {dc:titel: x}}\n',
    [
      '3:17 warning: no schema has the property "dc:titel", did you mean "dc:title"?',
      '3:24 warning: there is no document type "Fil", did you mean "File"?',
    ],
  ],
  [
    'bulk',
    "- Bulk.RunAction:\n    action: setProperties\n    query: SELECT * FROM Document WHERE dc:titel = 'a'\n    parameters: {dc:titel: x}\n",
    [
      '3:41 warning: no schema has the property "dc:titel", did you mean "dc:title"?',
      '4:28 warning: no schema has the property "dc:titel", did you mean "dc:title"?',
    ],
  ],
  [
    'bulk automation',
    '- Bulk.RunAction:\n    action: automation\n    query: SELECT * FROM Document\n    parameters: {operationId: Document.SetLifeCycle, parameters: {value: aprove}}\n',
    ['4:17 warning: there is no life-cycle transition "aprove", did you mean "approve"?'],
  ],
  [
    'choices',
    '- Document.CheckIn: {version: majr}\n',
    ['1:31 warning: "majr" is none of minor, major, did you mean "major"?'],
  ],
  [
    'facet',
    '- Document.AddFacet: {facet: Foldrish}\n',
    ['1:30 warning: there is no facet "Foldrish", did you mean "Folderish"?'],
  ],
  [
    'filter',
    '- Document.Filter: {types: "File, Not", lifecycle: projct, facet: Versionabl, class: "Regular"}\n',
    [
      '1:28 warning: there is no document type "Not", did you mean "Note"?',
      '1:52 warning: there is no life-cycle state "projct", did you mean "project"?',
      '1:67 warning: there is no facet "Versionabl", did you mean "Versionable"?',
      '1:86 warning: "Regular" is none of Any, Regular Document, Document Link, Published Document, Document Proxy, Document Version, Immutable Document, Mutable Document',
    ],
  ],
  [
    'converter',
    '- Blob.ToPDF:\n- Blob.RunConverter: {converter: any2pd}\n',
    ['2:34 warning: there is no converter "any2pd", did you mean "any2pdf"?'],
  ],
  [
    'template',
    '- Render.Document: {template: "template:lettr", filename: x}\n',
    ['1:31 warning: there is no template "lettr"'],
  ],
  [
    'all at once',
    'params: [x]\noperations:\n- Document.Creat: {type: File}\n- Document.Create:\n    type: Fil\n  name: x\n- Document.SetProperty: {xpath: "dc:titel", vaule: x}\n- Log: [a]\n',
    [
      '3:3 unknown operation "Document.Creat", did you mean "Document.Create"?',
      '6:3 an operation has one key, found "Document.Create" and "name"; is "name" indented too little?',
      '7:33 warning: no schema has the property "dc:titel", did you mean "dc:title"?',
      '7:45 unknown parameter "vaule" of Document.SetProperty, did you mean "value"?',
      '8:8 expected a map with the parameters of Log, found a list; write Log: {name: value}, or a line for each below it',
    ],
  ],
  [
    'operation instead of operations',
    'operation:\n- Log: {message: x}\n',
    ['1:1 unknown key "operation", did you mean "operations"?'],
  ],
  [
    'params map default',
    'params: {default: x}\noperations: [Log]\n',
    [
      '1:19 expected a map with type, description, required, values, found a text; write default: {type: string, values: [x]} for a default',
      '2:14 Log needs the parameter "message"',
    ],
  ],
  ['param list bare', 'params: [x]\noperations:\n- Log: {message: hi}\n', []],
  [
    'param key',
    'param:\n- x: {type: string}\noperations:\n- Log: {message: hi}\n',
    ['1:1 unknown key "param", did you mean "params"?'],
  ],
  ['tabs', '- Log:\n\tmessage: x\n', ['2:1 Tabs are not allowed as indentation; indent with spaces']],
  [
    'indent',
    '- Log:\n  message: x\n',
    ['2:3 an operation has one key, found "Log" and "message"; is "message" indented too little?'],
  ],
  [
    'missing colon',
    '- Log\n    message: x\n',
    ['1:3 Implicit keys need to be on a single line; is a colon missing at the end of this line?'],
  ],
  [
    'missing colon 2',
    '- Log: {message x}\n',
    [
      '1:3 Log needs the parameter "message"',
      '1:9 unknown parameter "message x" of Log, is a colon missing: "message: x"?',
    ],
  ],
  [
    'unquoted template',
    '- Log: {message: expr:@{Document.title}}\n',
    [
      '1:24 Unexpected flow-map-start at node end; between { and } a text with brackets or braces in it is written in quotes',
    ],
  ],
  [
    'template no expr',
    '- Log: {message: "@{Document.title}"}\n',
    ['1:19 warning: the text holds @{…}, and stays as it is: what is evaluated begins with expr:'],
  ],
  [
    'unknown variable',
    '- Log: {message: "expr:Documnt.title"}\n',
    ['1:24 warning: nothing here is called "Documnt", did you mean "Document"?'],
  ],
  [
    'unknown variable in own set',
    '- Context.SetVar: {name: greeting, value: hi}\n- Log: {message: "expr:greting + 1"}\n',
    ['2:24 warning: nothing here is called "greting", did you mean "greeting"?'],
  ],
  [
    'wrong case id',
    '- document.create: {type: File}\n',
    ['1:3 unknown operation "document.create", did you mean "Document.Create"?'],
  ],
  [
    'wrong case param',
    '- Document.Create: {Type: File}\n',
    [
      '1:3 Document.Create needs the parameter "type"',
      '1:21 unknown parameter "Type" of Document.Create, did you mean "type"?',
    ],
  ],
  [
    'a parameter of its own behind Auth.LoginAs',
    'params:\n  target: {type: string}\noperations:\n- Auth.LoginAs\n- Document.Copy\n- Auth.Logout\n- Document.Copy\n',
    [
      '5:3 Document.Copy needs the parameter "target", which is not looked up after Auth.LoginAs: write target: expr:ChainParameters["target"]',
    ],
  ],
  [
    'string for boolean',
    '- Document.Update: {properties: {dc:title: x}, save: "yes"}\n',
    ['1:54 expected true or false, found "yes"'],
  ],
  [
    'expr typo',
    '- Log: {message: "exp:Document.title"}\n',
    ['1:19 warning: "exp:" is text: what is evaluated begins with expr:, with nothing before it'],
  ],
  [
    'expr capital',
    '- Log: {message: "Expr:Document.title"}\n',
    ['1:19 warning: "Expr:" is text: what is evaluated begins with expr:, with nothing before it'],
  ],
  ['expr space', '- Log: {message: "expr: Document.title"}\n', []],
  [
    'expr blank before',
    '- Log: {message: " expr:Document.title"}\n',
    ['1:19 warning: "expr:" is text: what is evaluated begins with expr:, with nothing before it'],
  ],
  [
    'dollar template',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the template of another notation
    '- Log: {message: "${Document.title}"}\n',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the template of another notation
    ['1:19 warning: ${Document.title} stays as it is: write expr:@{Document.title}'],
  ],
  [
    'execution',
    'execution: inlin\noperations: [Document.Save]\n',
    ['1:12 expected workflow or inline, found "inlin", did you mean "inline"?'],
  ],
  [
    'execution transaction',
    'execution: sync\noperations: [Document.Save]\n',
    ['1:12 expected workflow or inline, found "sync"'],
  ],
  [
    'nested quotes',
    "- Log: {message: 'expr:Document['dc:title']'}\n",
    [
      '1:34 Unexpected scalar at node end; the text ends at the quote before this: take the other kind of quotes around it, or double a \' and put \\ before a " inside',
    ],
  ],
  [
    'nested quotes 2',
    '- Log: {message: "expr:Document["dc:title"]"}\n',
    [
      '1:34 Unexpected scalar at node end; the text ends at the quote before this: take the other kind of quotes around it, or double a \' and put \\ before a " inside',
    ],
  ],
  [
    'apostrophe',
    "- Log: {message: 'it's'}\n",
    [
      '1:22 Unexpected scalar at node end; the text ends at the quote before this: take the other kind of quotes around it, or double a \' and put \\ before a " inside',
    ],
  ],
  ['mvel statement', '- Log: {message: "expr:x = 1; x + 2"}\n', []],
  ['mvel if', "- Log: {message: \"expr:if (Document.title == 'a') { 'x' } else { 'y' }\"}\n", []],
  ['mvel foreach', '- Log: {message: "expr:foreach (d : Documents) { d.title }"}\n', []],
  ['mvel new', '- Log: {message: "expr:new java.util.Date()"}\n', []],
  [
    'mvel assign',
    '- Log: {message: "expr:Context[\'x\'] = 1"}\n',
    ['1:24 warning: an expression sets no variable of the run; Context.SetVar does, with this as its value'],
  ],
  [
    'mvel import',
    '- Log: {message: "expr:import java.util.*; new ArrayList()"}\n',
    [
      '1:18 Expression "import java.util.*; new ArrayList()" cannot be read: Cannot use import statement outside a module; there are no Java classes to import; lists are [], maps {}, dates CurrentDate',
      '1:44 warning: there is no class ArrayList in expressions; take []',
    ],
  ],
  [
    'java static',
    '- Log: {message: "expr:java.lang.System.currentTimeMillis()"}\n',
    [
      '1:24 warning: there is no class java.lang.System in expressions; take CurrentDate.time for the time, Fn for the rest',
    ],
  ],
  ['mvel typed', '- Log: {message: "expr:String x = Document.title; x"}\n', []],
  [
    'mvel is',
    '- Log: {message: "expr:Document is String"}\n',
    [
      '1:18 Expression "Document is String" cannot be read: Unexpected identifier \'is\'; a type is asked for by typeof, as in typeof x == "string"',
    ],
  ],
  [
    'mvel in projection',
    '- Log: {message: "expr:(title in Documents)"}\n',
    ['1:24 warning: in asks for a key; each property of a list is Documents.map(d => d.title)'],
  ],
  [
    'mvel strsim',
    "- Log: {message: \"expr:'a' strsim 'b'\"}\n",
    [
      "1:18 Expression \"'a' strsim 'b'\" cannot be read: Unexpected identifier 'strsim'; texts are compared by ==, contains, or ~= with a regular expression",
    ],
  ],
  ['mvel instanceof', '- Log: {message: "expr:Document instanceof String"}\n', []],
  ['mvel null-safe', '- Log: {message: "expr:Document.?title"}\n', []],
  [
    'mvel soundslike',
    "- Log: {message: \"expr:'a' soundslike 'b'\"}\n",
    [
      "1:18 Expression \"'a' soundslike 'b'\" cannot be read: Unexpected identifier 'soundslike'; texts are compared by ==, contains, or ~= with a regular expression",
    ],
  ],
  [
    'unbalanced',
    '- Log: {message: "expr:Document.getTitle("}\n',
    ['1:18 Expression "Document.getTitle(" cannot be read: No closing bracket for ( at 18'],
  ],
  [
    'template unclosed',
    '- Log: {message: "expr:a @{Document.title"}\n',
    ['1:18 Expression "a @{Document.title" cannot be read: No closing brace } for the one before 5'],
  ],
  [
    'quote unclosed',
    '- Document.SetProperty: {xpath: "dc:title", value: "expr:Document[\'dc:title"}\n',
    ['1:52 Expression "Document[\'dc:title" cannot be read: Unfinished string at 10'],
  ],
  [
    'comment unclosed',
    '- Log: {message: "expr:/*"}\n',
    ['1:18 Expression "/*" cannot be read: Unfinished comment at 1'],
  ],
  [
    'quote of a filter unclosed',
    'onError:\n- {chain: other, filter: "Exception == \'abc"}\noperations: [Document.Save]\n',
    ['2:26 Expression "Exception == \'abc" cannot be read: Unfinished string at 14'],
  ],
  [
    'quote of a script unclosed',
    "- RunScript: {script: \"Context['t'] = 'abc\"}\n",
    ['1:23 The script cannot be read: Unfinished string at 16'],
  ],
  [
    'brace of a value in a map unclosed',
    '- Document.Update: {properties: {"dc:title": "expr:@{Document.title"}}\n',
    ['1:46 Expression "@{Document.title" cannot be read: No closing brace } for the one before 3'],
  ],
  [
    'missing dash',
    'Log: {message: x}\n',
    ['1:1 unknown key "Log": an operation stands in a list, behind a dash: - Log'],
  ],
  [
    'chain with id',
    'id: other\noperations: [Document.Save]\n',
    [
      '1:1 unknown key "id": a chain is called what its file or address is; aliases: [other] gives it another name',
    ],
  ],
  [
    'chain key',
    'chain: demo\noperations: [Document.Save]\n',
    [
      '1:1 unknown key "chain": a chain is called what its file or address is; aliases: [demo] gives it another name',
    ],
  ],
  ['steps key', 'steps:\n- Document.Save\n', ['1:1 unknown key "steps", did you mean "operations"?']],
  [
    'scalar',
    'Document.Save\n',
    [
      '1:1 expected a list of operations or a map with description, params and operations, found a text; write - Document.Save',
    ],
  ],
  [
    'name key style',
    '- operation: Document.Save\n',
    [
      '1:3 an operation is the key itself, and its parameters stand below it: write - Document.Save: {…}, and not operation: Document.Save',
    ],
  ],
  [
    'id style',
    '- id: Log\n  params: {message: x}\n',
    [
      '1:3 an operation is the key itself, and its parameters stand below it: write - Log: {…}, and not id: Log',
    ],
  ],
  [
    'params in step',
    '- Log:\n    params: {message: x}\n',
    [
      '1:3 Log needs the parameter "message"',
      '2:5 unknown parameter "params" of Log; parameters stand directly below it',
    ],
  ],
  ['missing param', '- Document.Create: {name: x}\n', ['1:3 Document.Create needs the parameter "type"']],
  ['list for value', '- Document.Create: {type: [File]}\n', ['1:27 expected a text, found a list']],
  ['context var wrong', '- Log: {message: "expr:Context.foo.bar"}\n', []],
  [
    'Run unknown chain',
    '- RunOperation: {id: othr}\n',
    ['1:22 unknown operation "othr", did you mean "other"?'],
  ],
  [
    'run wrong param',
    '- RunOperation: {id: other, parameters: {whom: x}}\n',
    ['1:42 unknown parameter "whom" of other, did you mean "who"?'],
  ],
  [
    'onError string',
    'onError: other\noperations: [Document.Save]\n',
    [
      '1:10 expected a list of maps with chain, filter, rollback, priority, found a text; write - chain: other',
    ],
  ],
  [
    'onError list',
    'onError: [other]\noperations: [Document.Save]\n',
    ['1:11 expected a map with chain, filter, rollback, priority, found a text; write - chain: other'],
  ],
  [
    'aliases string',
    'aliases: foo\noperations: [Document.Save]\n',
    ['1:10 expected a list, found a text; write [foo]'],
  ],
  [
    'two docs',
    '- Document.Save\n---\n- Document.Save\n',
    [
      '2:1 more than one YAML document; a chain is one, and several in one file are written as chains: {name: […], other: […]}',
    ],
  ],
  [
    'currentUser fn',
    '- Log: {message: "expr:CurrentUser.nmae"}\n',
    ['1:24 warning: CurrentUser.nmae: there is no such property, did you mean "name"?'],
  ],
  [
    'Fn typo',
    '- Log: {message: "expr:Fn.getNextID(\'x\')"}\n',
    ['1:24 warning: Fn.getNextID: there is no such function, did you mean "getNextId"?'],
  ],
  [
    'colon in text',
    '- Log: {message: note: this}\n',
    [
      '1:18 Block collections are not allowed within flow collections; a text with a colon and a space in it is written in quotes',
    ],
  ],
  [
    'comma text unquoted in flow',
    '- Document.Create: {type: File, name: a, b}\n',
    [
      '1:42 unknown parameter "b" of Document.Create; between { and } a text with a comma in it is written in quotes',
    ],
  ],
  [
    'required string',
    'params:\n- x: {type: string, required: yes}\noperations: [Document.Save]\n',
    ['2:31 expected true or false, found a text "yes"'],
  ],
  [
    'values scalar',
    'params:\n- x: {type: string, values: a}\noperations: [Document.Save]\n',
    ['2:29 expected a list, found a text; write [a]'],
  ],
  [
    'a handler by itself',
    'events: documentCreated\nchain: demo\ndoctype: File\n',
    [
      '1:1 "events" belongs to an event handler, and this is read as a chain: in a file, write eventHandlers: and the name of an event handler below it, and what it has below that',
    ],
  ],
  [
    'a schedule by itself',
    'chain: demo\ncron: 0 3 * * *\n',
    [
      '2:1 "cron" belongs to a schedule, and this is read as a chain: in a file, write schedules: and the name of a schedule below it, and what it has below that',
    ],
  ],
  [
    'type that there is none of',
    'params:\n- x: {type: int}\noperations: [Document.Save]\n',
    [
      '2:13 unknown type "int", did you mean "integer"? known are string, boolean, integer, long, float, date, document, documents, blob, stringlist, resource, properties, serializable, object, map, list',
    ],
  ],
  [
    'bulk action',
    '- Bulk.RunAction: {query: SELECT * FROM File, action: setProperteis}\n',
    ['1:55 unknown bulk action "setProperteis", did you mean "setProperties"?'],
  ],
  [
    'default key',
    'params:\n- x: {type: string, default: a}\noperations: [Document.Save]\n',
    ['2:21 unknown key "default": the first of values is the default, values: [a]'],
  ],
  [
    'param types',
    'params:\n  x: string\noperations: [Document.Save]\n',
    ['2:6 expected a map with type, description, required, values, found a text; write x: {type: string}'],
  ],
  [
    'integer text',
    '- Log: {message: hi}\n- Document.IncrementProperty: {xpath: "dc:title", by: one}\n',
    ['2:55 expected an integer, found "one"'],
  ],
  ['duplicates', '- Log:\n    message: a\n    message: b\n', ['3:5 the key "message" appears twice']],
  [
    'xml wrong elem',
    '<chain id="demo"><operations><operation id="Log"/></operations></chain>\n',
    ['1:18 unexpected element <operations> inside <chain>, did you mean "operation"?'],
  ],
  [
    'xml value attr',
    '<chain id="demo"><operation id="Log"><param name="message" value="x"/></operation></chain>\n',
    ['1:38 <param> takes its value as text between its tags, and not as the attribute value'],
  ],
  [
    'xml unclosed',
    '<chain id="demo"><operation id="Log"><param name="message">x</operation></chain>\n',
    ['1:60 Opening and ending tag mismatch: "param" != "operation"; is an element not closed?'],
  ],
  [
    'xml amp',
    '<chain id="demo"><operation id="Log"><param name="message">a & b</param></operation></chain>\n',
    [],
  ],
  [
    'xml lt',
    '<chain id="demo"><operation id="Log"><param name="message">expr:1 < 2</param></operation></chain>\n',
    [
      '1:67 element parse error: Error: invalid tagName:; < in a text is written &lt;, or the text stands in <![CDATA[…]]>',
    ],
  ],
  [
    'xml step name',
    '<chain id="demo"><operation name="Log"/></chain>\n',
    ['1:18 unknown attribute "name" of <operation>; known are id', '1:18 <operation> needs the attribute id'],
  ],
  [
    'xml param type',
    '<chain id="demo"><operation id="Document.Update"><param type="boolean" name="save">yes</param></operation></chain>\n',
    ['1:18 Document.Update needs the parameter "properties"', '1:50 expected true or false, found "yes"'],
  ],
  [
    'xml property map',
    '<chain id="demo"><operation id="Document.Update"><param type="properties" name="properties"><property name="dc:title">x</property></param></operation></chain>\n',
    ['1:93 unknown attribute "name" of <property>; known are key', '1:93 <property> needs the attribute key'],
  ],
  [
    'xml names',
    '<chain id="demo"><operation id="Document.Create"><param name="type">Fil</param></operation>\n<operation id="Document.Update"><param type="properties" name="properties"><property key="dc:titel">x</property></param></operation></chain>\n',
    [
      '1:50 warning: there is no document type "Fil", did you mean "File"?',
      '2:33 warning: no schema has the property "dc:titel", did you mean "dc:title"?',
    ],
  ],
  ['empty', '\n', ['1:1 the text is empty; a chain without operations is written {}']],
  [
    'dup yaml key operations',
    'operations:\n- Log: {message: a}\noperations:\n- Log: {message: b}\n',
    ['3:1 the key "operations" appears twice'],
  ],
  [
    'null param value',
    '- Document.Create: {type: , name: x}\n',
    ['1:3 Document.Create needs the parameter "type"'],
  ],
  [
    'smart quotes',
    '- Log: {message: “hi”}\n',
    ['1:18 warning: the typographic quotes are part of the text; YAML knows " and \''],
  ],
  [
    'equal sign',
    '- Log: message=x\n',
    [
      '1:8 expected a map with the parameters of Log, found a text; write Log: {name: value}, or a line for each below it',
    ],
  ],
  [
    'step value text',
    '- Log: hello\n',
    [
      '1:8 expected a map with the parameters of Log, found a text; write Log: {name: value}, or a line for each below it',
    ],
  ],
])('%s', async (_, text, expected) => {
  const format = text.trimStart().startsWith('<') ? 'xml' : 'yaml'
  expect(await reported(text, { format, others })).toEqual(expected)
})
