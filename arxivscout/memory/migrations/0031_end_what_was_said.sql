-- A wish that is kept in its own words is quoted by the sentence in which it stood, and its edge by
-- the wish: the edge goes with the statement whose words it quotes, too.

CREATE OR REPLACE FUNCTION end_said(
    person TEXT, statement UUID, said TEXT, quoted TEXT, at TIMESTAMPTZ)
RETURNS void LANGUAGE sql VOLATILE
BEGIN ATOMIC
    UPDATE relation_memory AS edge
    SET valid_to = GREATEST(at, edge.valid_from), ended_with = statement
    WHERE edge.user_id = person AND md5(edge.quote) IN (md5(quoted), md5(said))
      AND edge.quote IN (quoted, said)
      AND edge.source IS NULL AND edge.derived_by IS NULL AND edge.valid_to IS NULL
      AND statement NOT IN (edge.subject_id, edge.object_id)
      AND NOT EXISTS (
          SELECT FROM entity_memory AS other
          WHERE other.user_id = person AND md5(other.quote) = md5(edge.quote)
            AND other.quote = edge.quote
            AND other.source IS NULL AND other.name IS NULL AND other.valid_to IS NULL
            AND other.archived_at IS NULL AND other.langchain_id <> statement
            AND (tells_of(other.content, edge.object_id) OR NOT tells_of(said, edge.object_id)));
END;
