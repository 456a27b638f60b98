%% What is logged can be asked for where nobody configured it.
%%! maps:get(filter_default, logger:get_primary_config()) ==> log
-module(logger_configuration).
