%% Names and data that a page must not take for its own. <script>window.hacked = 1</script>
-module(marked_up).
-export(['<script>window.hacked = 2</script>'/1, 'img src=x onerror=window.hacked=3'/1]).

-spec '<script>window.hacked = 2</script>'('</title><script>window.hacked=4</script>' | ok) -> ok.
'<script>window.hacked = 2</script>'(ok) -> ok;
'<script>window.hacked = 2</script>'(Other) -> error({"<img src=x onerror=window.hacked=5>", Other}).

-spec 'img src=x onerror=window.hacked=3'(string()) -> ok.
'img src=x onerror=window.hacked=3'("<svg/onload=window.hacked=6>") -> error('<b>found</b>');
'img src=x onerror=window.hacked=3'(_) -> ok.
