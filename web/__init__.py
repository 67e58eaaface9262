"""The dashboard at the table: draws, stores and serves what ``referee`` judges and ``vision`` sees."""
