/** Columns that tables of several kinds share, with the texts that the real server gives them. */
import type { TableColumn } from './kind-rules.ts';

/** The first column of every table. */
export const nameColumn: TableColumn = {
  name: 'Name',
  format: 'name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
};

/** What the text says of a creation time; two kinds head the column otherwise. */
export const createdDescription =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

/** The column of ages. */
export const ageColumn: TableColumn = { name: 'Age', description: createdDescription };
