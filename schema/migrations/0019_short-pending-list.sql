-- A folder that is moved writes each document below it to the index on properties, which is most of that time. From a
-- list the index takes entries in together, which is quicker. Each search reads the list, so it is as short as may be.
ALTER INDEX documents_properties SET (fastupdate = on, gin_pending_list_limit = 64);
